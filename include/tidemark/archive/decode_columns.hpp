// SPDX-License-Identifier: BSL-1.0
// archive/decode_columns.hpp: columns back into the values that they were made from, or checked without any (floor: archive).
#ifndef TIDEMARK_ARCHIVE_DECODE_COLUMNS_HPP
#define TIDEMARK_ARCHIVE_DECODE_COLUMNS_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/archive/encode_columns.hpp>
#include <tidemark/archive/keyed.hpp>
#include <tidemark/archive/unpack.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// In the place of `each`: the bytes are checked as if they were read, and nothing is touched.
struct no_values {};

template <class Each>
inline constexpr bool is_check = std::is_same_v<Each, no_values>;

/// Narrows `each` to a part of every value; no values stay none.
template <class T, class Each, class Visit>
auto narrowed(Each each, Visit visit) {
  if constexpr (is_check<Each>) {
    return no_values{};
  } else {
    return [each, visit](auto f) { each([&](T& value) { visit(value, f); }); };
  }
}

/// Calls `f(T*)` for each of `count` values, with null where there are none.
template <class T, class Each, class F>
void visit_values(std::uint64_t count, Each each, F f) {
  if constexpr (is_check<Each>) {
    for (std::uint64_t i = 0; i < count; ++i) f(static_cast<T*>(nullptr));
  } else {
    each([&](T& value) { f(std::addressof(value)); });
  }
}

template <class T, class Each>
void decode_column(decoder& at, const extents& prefix, Each each);

/// How many values of type `T` are stored by column at this name.
template <class T>
std::uint64_t stored_count(decoder& at) {
  using S = stored<T>;
  constexpr category is = layout_of<T>;
  constexpr count_source from = count_source_of<T>();
  const auto first_extent = [&] {
    const tensor_info* tensor = at.in.find(at.name.text());
    if (tensor == nullptr) at.fail("it is missing");
    if (tensor->shape.empty()) at.fail("it has no first extent, which would be the number of values", {}, "a scalar");
    // A column of no bytes for elements that take some: a shape such as [1000000, 0], to be believed only where the type has the 0.
    if (tensor->shape[0] > tensor->bytes && !takes_no_bytes<T>()) at.fail("it has another shape", {}, shape_text(tensor->type, tensor->shape));
    at.require_sane(tensor->shape[0], (std::max)(sizeof(T), sizeof(S)));
    return tensor->shape[0];
  };
  if constexpr (from == count_source::size_tensor) {
    const auto scope = at.name.side("size");
    const std::uint64_t count = at.number();
    at.require_sane(count, (std::max)(sizeof(T), sizeof(S)));
    return count;
  } else if constexpr (is == category::record || is == category::tuple) {
    std::optional<std::uint64_t> count;
    for_each_child_type<S>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      if constexpr (count_source_of<M>() == from) {
        if (count) return;
        const auto scope = at.name.member(child_name<S, I>());
        count = stored_count<M>(at);
      }
    });
    return *count;
  } else if constexpr (from == count_source::offsets) {
    const auto scope = at.name.side("offsets");
    const std::uint64_t extent = first_extent();
    if (extent == 0) at.fail("it is empty", "at least one offset");
    return extent - 1;
  } else if constexpr (is == category::optional) {
    const auto scope = at.name.side("has");
    return first_extent();
  } else if constexpr (is == category::variant) {
    const auto scope = at.name.side("index");
    return first_extent();
  } else if constexpr (is == category::sequence) {
    return stored_count<element_of<S>>(at);  // of a fixed size: its elements' shape begins with the number of sequences
  } else {
    return first_extent();
  }
}

/// Reads `#offsets` for `count` values and calls `resize(T*, size)` for each; they must run from 0 to `total` without a step back.
template <class T, class Each, class Resize>
void decode_offsets(decoder& at, std::uint64_t count, std::uint64_t total, Each each, Resize resize) {
  const auto scope = at.name.side("offsets");
  input_stream stream = at.in.open(at.require(dtype::u64, extents(count + 1)));
  auto last = load_as<std::uint64_t>(stream.take(8));
  if (last != 0) at.fail_value(stream, "a first offset of 0", std::to_string(last));
  visit_values<T>(count, each, [&](T* value) {
    const auto next = load_as<std::uint64_t>(stream.take(8));
    if (next < last || next > total) {
      at.fail_value(stream, "an offset from " + std::to_string(last) + " to " + std::to_string(total), std::to_string(next));
    }
    if (value != nullptr) resize(*value, static_cast<std::size_t>(next - last));
    last = next;
  });
  if (last != total) at.fail_value(stream, "a last offset of " + std::to_string(total), std::to_string(last));
  stream.finish();
}

template <class E, class Each>
void decode_leaf_column(decoder& at, const extents& prefix, Each each) {
  input_stream stream = at.in.open(at.require(leaf_traits<E>::type, leaf_shape<E>(prefix)));
  if constexpr (is_check<Each> && !leaf_traits<E>::is_checked) {
    stream.finish();
  } else {
    visit_values<E>(prefix.count(), each, [&](E* value) {
      if (!read_leaf<E>(stream, value)) at.fail_value(stream, scalar_traits<scalar_of<E>>::code());
    });
    stream.finish();
  }
}

inline constexpr auto resize_container = [](auto& container, std::size_t size) { resize_to(container, size); };

/// Visits the elements of every value.
template <class T, class Each>
auto elements_of(Each each) {
  return narrowed<T>(each, [](T& all, auto& f) { for_each_slot(all, f); });
}

/// The elements of run-time sized containers: their number, how they divide, and themselves.
template <class T, class Each>
void decode_ragged(decoder& at, const extents& prefix, Each each) {
  using E = element_of<T>;
  const auto payload = [&] { return at.name.payload(!fixed_leaf<E>::is_leaf && has_side_tensors_repeated<E>()); };
  std::uint64_t total = 0;
  {
    const auto scope = payload();
    total = stored_count<E>(at);
  }
  decode_offsets<T>(at, prefix.count(), total, each, resize_container);
  const auto scope = payload();
  decode_column<E>(at, extents(total), elements_of<T>(each));
}

/// Keys side by side: all those of one container or of many.
template <class K>
std::vector<stored_key<K>> decode_keys(decoder& at, std::uint64_t count) {
  std::vector<stored_key<K>> keys(static_cast<std::size_t>(count));
  decode_column<K>(at, extents(count), [source = &keys](auto f) { for (auto& key : *source) f(key.value); });
  return keys;
}

/// Reads how `keys` divide among the values, and gives each its own. Returns the elements of unordered ones, in order.
template <class T, class Key, class Each>
std::vector<typename T::value_type*> divide_keys(decoder& at, const extents& prefix, std::vector<stored_key<Key>>& keys, Each each) {
  std::vector<bucket_state> buckets;
  if constexpr (Unordered<T>) buckets = decode_buckets<T>(at, prefix, keys.size());
  std::vector<typename T::value_type*> elements;
  const std::string name(at.name.text());  // the walk stands at `#offsets` when keys are divided
  std::size_t done = 0, container = 0;
  const auto take = [&](T* target, std::size_t size) {
    auto made = assign_stored_keys<T>(name, target, keys, done, done + size, Unordered<T> ? buckets[container++] : bucket_state{});
    elements.insert(elements.end(), made.begin(), made.end());
    done += size;
  };
  if constexpr (is_check<Each>) {
    T unused;
    decode_offsets<T>(at, prefix.count(), keys.size(), [&](auto f) { for (std::uint64_t i = 0; i < prefix.count(); ++i) f(unused); },
                      [&](T&, std::size_t size) { take(nullptr, size); });
  } else {
    decode_offsets<T>(at, prefix.count(), keys.size(), each, [&](T& target, std::size_t size) { take(std::addressof(target), size); });
  }
  return elements;
}

template <class T, class Each>
void decode_set_columns(decoder& at, const extents& prefix, Each each) {
  using K = element_of<T>;
  auto keys = [&] {
    const auto scope = at.name.payload(!fixed_leaf<K>::is_leaf && has_side_tensors_repeated<K>());
    return decode_keys<K>(at, stored_count<K>(at));
  }();
  divide_keys<T>(at, prefix, keys, each);
}

template <class T, class Each>
void decode_map_columns(decoder& at, const extents& prefix, Each each) {
  using V = typename structure<T>::mapped;
  using K = typename structure<T>::key;
  auto keys = [&] {
    const auto scope = at.name.side("keys");
    return decode_keys<K>(at, stored_count<K>(at));
  }();
  const std::uint64_t count = keys.size();
  const auto elements = divide_keys<T>(at, prefix, keys, each);
  const auto scope = at.name.payload(has_side_tensors<V, true>());
  if constexpr (Unordered<T> && !is_check<Each>) {
    decode_column<V>(at, extents(count), [source = &elements](auto f) { for (auto* e : *source) f(e->second); });
  } else {
    decode_column<V>(at, extents(count), narrowed<T>(each, [](T& map, auto& f) { for (auto& e : map) f(e.second); }));
  }
}

template <class T, class Each>
void decode_variant_columns(decoder& at, const extents& prefix, Each each) {
  constexpr std::size_t alternatives = children_of<T>::size;
  std::array<std::uint64_t, alternatives> counts{};
  {
    const auto scope = at.name.side("index");
    input_stream stream = at.in.open(at.require(dtype::u32, prefix));
    visit_values<T>(prefix.count(), each, [&](T* value) {
      const auto index = load_as<std::uint32_t>(stream.take(4));
      if (index >= alternatives) at.fail_value(stream, "an index below " + std::to_string(alternatives), std::to_string(index));
      ++counts[index];
      if (value == nullptr) return;
      for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
        if (index == I) activate<I>(*value);
      });
    });
    stream.finish();
  }
  for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
    const auto scope = at.name.side(I);
    decode_column<A>(at, extents(counts[I]), narrowed<T>(each, [](T& v, auto& f) { if (alternative_index(v) == I) f(alternative<I>(v)); }));
  });
}

template <class T, class Each>
void decode_optional_columns(decoder& at, const extents& prefix, Each each) {
  using E = element_of<T>;
  std::uint64_t count = 0;
  {
    const auto scope = at.name.side("has");
    input_stream stream = at.in.open(at.require(dtype::boolean, prefix));
    visit_values<T>(prefix.count(), each, [&](T* value) {
      bool has = false;
      if (!read_leaf<bool>(stream, &has)) at.fail_value(stream, "bool");
      count += has;
      if (value == nullptr) return;
      if (!has) value->reset();
      else if (!*value) make_value(*value);
    });
    stream.finish();
  }
  const auto scope = at.name.payload(has_side_tensors<E, true>());
  decode_column<E>(at, extents(count), narrowed<T>(each, [](T& value, auto& f) { if (value) f(*value); }));
}

/// So that a vector of them has addresses, also of bool.
template <class V>
struct boxed {
  V value = V();
};

/// Gives `value` to the user's code that checks and takes it; without a target, to a fresh object that is then dropped.
template <class T, class V>
void hand_over(decoder& at, T* target, V&& value) {
  at_place(at.name.text(), [&] {
    if (target != nullptr) {
      representation<T>::restore(*target, std::move(value));
    } else {
      T probe = T();
      representation<T>::restore(probe, std::move(value));
    }
  });
}

/// Unpacks one value, into a fresh object where there is no target.
template <class T>
void decode_packed(decoder& at, bytes_view bytes, T* target) {
  static const schema type = make_schema<T>();
  at_place(at.name.text(), [&] {
    packed_bytes in{bytes};
    if (target != nullptr) {
      unpack<T>(in, {&type, &type}, *target);
    } else {
      T probe = T();
      unpack<T>(in, {&type, &type}, probe);
    }
    if (!in.left.empty()) packed_bytes::fail("there are bytes after its end");
  });
}

std::string read_packed(decoder& at);

template <class T, class Each>
void decode_packed_column(decoder& at, const extents& prefix, Each each) {
  const std::string bytes = read_packed(at);
  std::size_t done = 0;
  const auto take = [&](T* target, std::size_t size) {
    decode_packed<T>(at, bytes_of(std::string_view(bytes).substr(done, size)), target);
    done += size;
  };
  if constexpr (is_check<Each>) {
    T unused = T();
    decode_offsets<T>(at, prefix.count(), bytes.size(), [&](auto f) { for (std::uint64_t i = 0; i < prefix.count(); ++i) f(unused); },
                      [&](T&, std::size_t size) { take(nullptr, size); });
  } else {
    decode_offsets<T>(at, prefix.count(), bytes.size(), each, [&](T& target, std::size_t size) { take(std::addressof(target), size); });
  }
}

template <class T, class Each>
void decode_column(decoder& at, const extents& prefix, Each each) {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    using V = typename representation<T>::type;
    std::vector<boxed<V>> values(static_cast<std::size_t>(prefix.count()));
    decode_column<V>(at, prefix, [source = &values](auto f) { for (auto& v : *source) f(v.value); });
    std::size_t next = 0;
    visit_values<T>(values.size(), each, [&](T* target) {
      const auto scope = at.name.element(next);
      hand_over(at, target, std::move(values[next++].value));
    });
  } else if constexpr (is == category::packed) {
    decode_packed_column<T>(at, prefix, each);
  } else if constexpr (fixed_leaf<T>::is_leaf) {
    decode_leaf_column<T>(at, prefix, each);
  } else if constexpr (is == category::text) {
    std::uint64_t total = 0;
    decode_offsets<T>(at, prefix.count(), at.require_array<unsigned char>(total).bytes, each, resize_container);
    input_stream stream = at.in.open(at.require(dtype::u8, extents(total)));
    if constexpr (!is_check<Each>) each([&](T& text) { stream.copy({reinterpret_cast<std::byte*>(text.data()), text.size()}); });
    stream.finish();
  } else if constexpr (is == category::set) {
    decode_set_columns<T>(at, prefix, each);
  } else if constexpr (is == category::array || is == category::sequence) {
    if constexpr (is_fixed_size<T>) {
      decode_column<element_of<T>>(at, prefix.with(structure<T>::extent), elements_of<T>(each));
    } else {
      decode_ragged<T>(at, prefix, each);
    }
  } else if constexpr (is == category::map) {
    decode_map_columns<T>(at, prefix, each);
  } else if constexpr (is == category::optional) {
    decode_optional_columns<T>(at, prefix, each);
  } else if constexpr (is == category::variant) {
    decode_variant_columns<T>(at, prefix, each);
  } else {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      const auto scope = at.name.member(child_name<T, I>());
      decode_column<M>(at, prefix, narrowed<T>(each, [](T& value, auto& f) { f(child<I>(value)); }));
    });
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/decode_columns.ipp>
#endif
#endif
