// SPDX-License-Identifier: BSL-1.0
// archive/decode.hpp: named tensors back into one value, or checked against its type without touching any (floor: archive).
#ifndef TIDEMARK_ARCHIVE_DECODE_HPP
#define TIDEMARK_ARCHIVE_DECODE_HPP

#include <tidemark/archive/borrowed.hpp>
#include <tidemark/archive/const_member.hpp>
#include <tidemark/archive/decode_columns.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

template <class T>
void decode(decoder& at, T* target);

/// Whether an array can be appended piece by piece: the pieces that arrive must not end within an element.
template <class E>
inline constexpr bool is_appended = append_granule % sizeof(E) == 0;

template <class E, class Array>
void append_leaves(void* container, bytes_view bytes) {
  auto& all = *static_cast<Array*>(container);
  const auto append = [&all](const std::byte* from, std::size_t size) {
    const auto* first = reinterpret_cast<const E*>(from);
    all.insert(all.end(), first, first + size / sizeof(E));
  };
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(E) == 0) return append(bytes.data(), bytes.size());
  alignas(E) std::byte aligned[append_granule];  // where another tool has laid the tensor elsewhere, and its bytes are in memory already
  while (!bytes.empty()) {
    const std::size_t size = (std::min)(bytes.size(), sizeof aligned);
    std::memcpy(aligned, bytes.data(), size);
    append(aligned, size);
    bytes = bytes.subspan(size);
  }
}

/// Scalars that need checking or converting are read at once; the others are left for the threads that read in bulk.
template <class T>
void decode_array(decoder& at, T* target) {
  using E = element_of<T>;
  std::uint64_t count = 0;
  const tensor_info& tensor = at.require_array<E>(count);
  const auto size = static_cast<std::size_t>(count);
  if constexpr (is_fixed_size<T>) {
    if (count != structure<T>::extent) at.fail("it has another shape", std::to_string(structure<T>::extent) + " elements", std::to_string(count));
  }
  if constexpr (is_direct_leaf<E> && !leaf_traits<E>::is_checked && is_contiguous<T>) {
    if (target == nullptr) return at.in.defer_check(tensor);
    if constexpr (!is_fixed_size<T>) {
      if constexpr (is_appended<E> && requires { target->reserve(size); target->insert(target->end(), target->data(), target->data()); }) {
        if (at.aside == 0 && target->size() != size) {
          target->clear();
          target->reserve(size);
          if (size == 0 || leaf_bytes<E> == 0) target->resize(size);
          return at.in.defer_append(tensor, target, append_leaves<E, T>);
        }
      }
      resize_to(*target, size);
    }
    const bytes_span memory{reinterpret_cast<std::byte*>(contiguous(*target)), size * leaf_bytes<E>};
    if (at.aside == 0) return at.in.defer_copy(tensor, memory);
    input_stream stream = at.in.open(tensor);
    stream.copy(memory);
    stream.finish();
  } else {
    if constexpr (!is_fixed_size<T>) {
      if (target != nullptr) resize_to(*target, size);
    }
    input_stream stream = at.in.open(tensor);
    std::size_t index = 0;
    const auto read = [&](E* to) {
      if (!read_leaf<E>(stream, to)) at.fail_value(stream, scalar_traits<scalar_of<E>>::code(), "other bits in element " + std::to_string(index));
      ++index;
    };
    if (target != nullptr) for_each_slot(*target, [&](E& e) { read(std::addressof(e)); });
    else for (std::size_t i = 0; i < size; ++i) read(nullptr);
    stream.finish();
  }
}

template <class T>
void decode_sequence(decoder& at, T* target) {
  using E = element_of<T>;
  std::uint64_t count = 0;
  if constexpr (is_modular<E>::value) {
    if constexpr (is_fixed_size<T>) {
      count = structure<T>::extent;
    } else {
      count = at.module_count();
      if (target != nullptr) resize_to(*target, static_cast<std::size_t>(count));
    }
    std::uint64_t index = 0;
    const auto read = [&](E* to) {
      const auto scope = at.name.element(index++);
      decode<E>(at, to);
    };
    if (target != nullptr) for_each_slot(*target, [&](E& e) { read(std::addressof(e)); });
    else while (index < count) read(nullptr);
  } else {
    if constexpr (is_fixed_size<T>) count = structure<T>::extent;
    else count = stored_count<E>(at);
    if (target == nullptr) return decode_column<E>(at, extents(count), no_values{});
    if constexpr (!is_fixed_size<T>) resize_to(*target, static_cast<std::size_t>(count));
    decode_column<E>(at, extents(count), [target](auto f) { for_each_slot(*target, f); });
  }
}

template <class T>
bucket_state decode_own_buckets(decoder& at, std::uint64_t elements) {
  if constexpr (Unordered<T>) return decode_buckets<T>(at, {}, elements)[0];
  else return {};
}

template <class T>
void decode_set(decoder& at, T* target) {
  using K = element_of<T>;
  std::vector<stored_key<K>> keys;
  if constexpr (is_modular<K>::value) {
    keys.resize(static_cast<std::size_t>(at.module_count()));
    ++at.aside;  // the keys must be whole before they are put in
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto scope = at.name.element(i);
      decode<K>(at, &keys[i].value);
    }
    --at.aside;
  } else {
    keys = decode_keys<K>(at, stored_count<K>(at));
  }
  assign_stored_keys<T>(at.name.text(), target, keys, 0, keys.size(), decode_own_buckets<T>(at, keys.size()));
}

template <class T>
void decode_map(decoder& at, T* target) {
  using V = typename structure<T>::mapped;
  using K = typename structure<T>::key;
  constexpr bool is_one_by_one = is_named_map<T> || is_modular<V>::value;
  auto keys = [&] {
    const auto scope = at.name.side("keys");
    return decode_keys<K>(at, stored_count<K>(at));
  }();
  const std::size_t count = keys.size();
  if (is_one_by_one && count > at.in.tensor_count()) at.fail("its map asks for more values than the file has tensors");
  std::vector<std::string> names;  // where the keys themselves are used up by a trial
  if constexpr (is_named_map<T> && Unordered<T>) {
    if (target == nullptr) for (const auto& key : keys) names.push_back(key.value);
  }
  const auto elements = assign_stored_keys<T>(at.name.text(), target, keys, 0, count, decode_own_buckets<T>(at, count));
  if constexpr (is_one_by_one) {
    auto next = target != nullptr ? target->begin() : typename T::iterator{};
    [[maybe_unused]] const bool keep_dots = keeps_dots_of<V>();
    for (std::size_t i = 0; i < count; ++i) {
      typename T::value_type* element = nullptr;
      if (target != nullptr) {
        if constexpr (Unordered<T>) element = elements[i];
        else element = std::addressof(*next++);
      }
      const auto scope = [&] {
        if constexpr (!is_named_map<T>) return at.name.element(i);
        else if (element != nullptr) return at.name.key(element->first, keep_dots);
        else if constexpr (Unordered<T>) return at.name.key(names[i], keep_dots);
        else return at.name.key(keys[i].value, keep_dots);
      }();
      decode<V>(at, element != nullptr ? std::addressof(element->second) : nullptr);
    }
  } else {
    const auto scope = at.name.payload(has_side_tensors<V, true>());
    if (target == nullptr) return decode_column<V>(at, extents(count), no_values{});
    if constexpr (Unordered<T>) decode_column<V>(at, extents(count), [source = &elements](auto f) { for (auto* e : *source) f(e->second); });
    else decode_column<V>(at, extents(count), [target](auto f) { for (auto& e : *target) f(e.second); });
  }
}

template <class T>
void decode_optional(decoder& at, T* target) {
  using E = element_of<T>;
  bool has = false;
  {
    const auto scope = at.name.side("has");
    decode<bool>(at, &has);
  }
  if (target != nullptr) {
    if (!has) target->reset();
    else if (!*target) make_value(*target);
  }
  if (!has) return;
  const auto scope = at.name.payload(has_side_tensors<E, false>());
  decode<E>(at, target != nullptr ? std::addressof(**target) : nullptr);
}

template <class T>
void decode_variant(decoder& at, T* target) {
  constexpr std::size_t alternatives = children_of<T>::size;
  std::uint32_t index = 0;
  {
    const auto scope = at.name.side("index");
    input_stream stream = at.in.open(at.require(dtype::u32, {}));
    index = load_as<std::uint32_t>(stream.take(4));
    if (index >= alternatives) at.fail_value(stream, "an index below " + std::to_string(alternatives), std::to_string(index));
    stream.finish();
  }
  for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
    if (index != I) return;
    const auto scope = at.name.side(I);
    if (target != nullptr) activate<I>(*target);
    decode<A>(at, target != nullptr ? std::addressof(alternative<I>(*target)) : nullptr);
  });
}

template <std::size_t I, class M, class T>
void decode_constant(decoder& at, const T* target) {
  const auto scope = at.name.member(child_name<T, I>());
  if (target == nullptr) return decode<M>(at, nullptr);
  aside<M> stored;
  ++at.aside;
  decode<M>(at, std::addressof(*stored));
  --at.aside;
  at_place(at.name.text(), [&] { require_same_constant<M>(child<I>(*target), *stored); });
}

/// Reads a `T` from the tensors at this name into `target`, or, where that is null, only checks that they hold one.
/// Throws `error`: corrupt, invalid_value, limit. Memory beyond the target: a map's keys.
template <class T>
void decode(decoder& at, T* target) {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    auto value = typename representation<T>::type();
    ++at.aside;
    decode(at, std::addressof(value));
    --at.aside;
    hand_over(at, target, std::move(value));
  } else if constexpr (is == category::scalar) {
    input_stream stream = at.in.open(at.require(scalar_traits<T>::type, leaf_shape<T>({})));
    if (!read_leaf<T>(stream, target)) at.fail_value(stream, scalar_traits<T>::code());
    stream.finish();
  } else if constexpr (is == category::text) {
    std::uint64_t size = 0;
    input_stream stream = at.in.open(at.require_array<unsigned char>(size));
    if (target != nullptr) {
      target->resize(static_cast<std::size_t>(size));
      stream.copy({reinterpret_cast<std::byte*>(target->data()), target->size()});
    }
    stream.finish();
  } else if constexpr (is == category::borrowed) {
    decode_borrowed(at, target);
  } else if constexpr (is == category::tensors) {
    decode_tensors(at, target);
  } else if constexpr (is == category::packed) {
    decode_packed<T>(at, bytes_of(read_packed(at)), target);
  } else if constexpr (is == category::array) {
    decode_array(at, target);
  } else if constexpr (is == category::sequence) {
    decode_sequence(at, target);
  } else if constexpr (is == category::set) {
    decode_set(at, target);
  } else if constexpr (is == category::map) {
    decode_map(at, target);
  } else if constexpr (is == category::optional) {
    decode_optional(at, target);
  } else if constexpr (is == category::variant) {
    decode_variant(at, target);
  } else {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      if constexpr (is_const_child<T, I>()) {
        decode_constant<I, M, T>(at, target);
      } else {
        const auto scope = at.name.member(child_name<T, I>());
        decode<M>(at, target != nullptr ? std::addressof(child<I>(*target)) : nullptr);
      }
    });
  }
}

/// A whole state from the tensors of `in`; see above.
template <class T>
void decode_state(tensor_input& in, T* target) {
  decoder at{in, walk_name(layout_of<T> == category::record)};
  decode(at, target);
}

/// Whether a value holds, as a member of records and tuples, constants, or objects that check themselves what they are restored from.
template <class T>
consteval bool holds_checks();
template <class... C>
consteval bool any_holds_checks(type_list<C...>) {
  return (holds_checks<C>() || ...);
}
template <class T>
consteval bool holds_checks() {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) return ChecksRestore<T>;
  else if constexpr (is == category::record || is == category::tuple) return holds_constants<T>() || any_holds_checks(children_of<T>{});
  else return false;
}

/// Before a restore touches anything: compares the constants, and asks these objects. In containers, optionals and variants it is not known yet which object gets which
/// value: they are asked by `restore(value)` only.
template <class T>
void require_accepted(decoder& at, const T& target) {
  if constexpr (!holds_checks<T>()) {
    return;
  } else if constexpr (category_of<T> == category::represented) {
    auto value = typename representation<T>::type();
    ++at.aside;
    decode(at, std::addressof(value));
    --at.aside;
    at_place(at.name.text(), [&] { looking_outside([&] { target.check_restore(std::as_const(value)); }); });
  } else {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      if constexpr (is_const_child<T, I>()) {
        decode_constant<I, M>(at, std::addressof(target));
      } else {
        const auto scope = at.name.member(child_name<T, I>());
        require_accepted<M>(at, child<I>(target));
      }
    });
  }
}

/// Before a restore: see `require_fit` and `require_accepted`.
template <class T>
void require_state_fits(tensor_input& in, const T& target) {
  decoder at{in, walk_name(layout_of<T> == category::record)};
  require_fit(at, target);
  require_accepted(at, target);
}

}  // namespace tidemark::detail
#endif
