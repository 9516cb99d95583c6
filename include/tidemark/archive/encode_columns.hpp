// SPDX-License-Identifier: BSL-1.0
// archive/encode_columns.hpp: many values of one type as columns: one tensor for each leaf of the type (floor: archive).
#ifndef TIDEMARK_ARCHIVE_ENCODE_COLUMNS_HPP
#define TIDEMARK_ARCHIVE_ENCODE_COLUMNS_HPP

#include <tidemark/archive/leaves.hpp>
#include <tidemark/archive/names.hpp>
#include <tidemark/archive/pack.hpp>
#include <tidemark/archive/plan.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

// `each(f)` calls f(const T&) for every value, in order, as often as it is asked to. The closures nest as the type does, so
// that one leaf's column is one loop over the rows; nothing is gathered before its bytes are wanted.

template <class T, class Each>
void encode_column(save_plan& plan, walk_name& name, const extents& prefix, Each each);

/// What a load would refuse is refused when it is saved.
template <class T>
void require_loadable(const walk_name& name, std::uint64_t count) {
  if constexpr (takes_no_bytes<T>()) {
    if (count > max_empty_elements((std::max)(sizeof(T), sizeof(stored<T>)))) {
      throw error({.code = errc::limit,
                   .tensor = std::string(name.text()),
                   .problem = std::to_string(count) + " elements that take no bytes in a file: a load could not tell them from a hostile count",
                   .advice = "Save their number instead."});
    }
  }
}

/// `name#size`, where no column says how many values there are.
template <class T>
void encode_count(save_plan& plan, walk_name& name, std::uint64_t count) {
  require_loadable<T>(name, count);
  if constexpr (count_source_of<T>() == count_source::size_tensor) {
    const auto scope = name.side("size");
    plan.add_number(name.text(), count);
  }
}

/// `name#offsets`: where each value's part of the payload begins, and at last where it ends. Returns the total.
template <class Each, class Size>
std::uint64_t encode_offsets(save_plan& plan, walk_name& name, std::uint64_t count, Each each, Size size_of_value) {
  std::uint64_t total = 0;
  each([&](const auto& value) { total += size_of_value(value); });
  const auto scope = name.side("offsets");
  plan.add_made(name.text(), dtype::u64, extents(count + 1), 8, [each, size_of_value](output_stream& out) {
    std::uint64_t offset = 0;
    out.put(offset);
    each([&](const auto& value) { out.put(offset += size_of_value(value)); });
  });
  return total;
}

/// One tensor that holds the leaves `E` (scalars or fixed arrays) which `each` visits.
template <class E, class Each>
void encode_leaf_column(save_plan& plan, walk_name& name, const extents& prefix, Each each) {
  plan.add_made(name.text(), leaf_traits<E>::type, leaf_shape<E>(prefix), element_bytes<scalar_of<E>>,
                [each](output_stream& out) { each([&](const E& value) { write_leaf<E>(out, value); }); });
}

inline constexpr auto size_of_container = [](const auto& container) { return count_of(container); };

/// `name#buckets` and `name#load` of unordered containers: what the order of their elements goes by, now and when more are inserted.
template <class T, class Each>
void encode_buckets(save_plan& plan, walk_name& name, const extents& prefix, Each each) {
  if constexpr (Unordered<T>) {
    std::uint64_t buckets = 0, elements = 0;
    bool has_sane_load = true;
    each([&](const T& all) {
      buckets += all.bucket_count();
      elements += all.size();
      has_sane_load = has_sane_load && all.max_load_factor() >= min_load_factor;
    });
    if (!take_buckets(plan.spare_buckets(), buckets, prefix.count(), elements) || !has_sane_load) {
      throw error({.code = errc::limit, .tensor = std::string(name.text()), .problem = "an unordered container with " + std::to_string(buckets) + " buckets for " + std::to_string(elements) + " elements: a load could not tell them from a hostile number",
                   .advice = "Call rehash(0) before the save, and keep its max_load_factor above 1/1024."});
    }
    {
      const auto scope = name.side("buckets");
      plan.add_made(name.text(), dtype::u64, prefix, 8, [each](output_stream& out) {
        each([&](const T& all) { out.put(static_cast<std::uint64_t>(all.bucket_count())); });
      });
    }
    const auto scope = name.side("load");
    plan.add_made(name.text(), dtype::f32, prefix, 4, [each](output_stream& out) { each([&](const T& all) { out.put(all.max_load_factor()); }); });
  }
}

/// Texts, or packed values, side by side.
struct gathered_texts {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};

  void add(std::string_view text) {
    bytes += text;
    offsets.push_back(bytes.size());
  }
};

void add_gathered_keys(save_plan& plan, walk_name& name, const gathered_texts& keys);

template <class K, class Each>
void require_ordered_keys(const walk_name& name, Each each) {
  if constexpr (std::is_floating_point_v<K>) {
    each([&](const K& key) {
      if (!is_ordered_key(key)) {
        throw error({.code = errc::unsupported, .tensor = std::string(name.text()), .problem = "a key is not a number (NaN), so it has no place in the order of the map"});
      }
    });
  }
}

template <class T, class Each>
void encode_map_columns(save_plan& plan, walk_name& name, std::uint64_t total, Each each) {
  using K = typename structure<T>::key;
  using V = typename structure<T>::mapped;
  {
    const auto scope = name.side("keys");
    const auto each_key = [each](auto f) { each([&](const T& map) { for (const auto& e : map) f(e.first); }); };
    require_ordered_keys<K>(name, each_key);
    encode_count<K>(plan, name, total);
    encode_column<K>(plan, name, extents(total), each_key);
  }
  const auto scope = name.payload(has_side_tensors<V, true>());
  encode_column<V>(plan, name, extents(total), [each](auto f) { each([&](const T& map) { for (const auto& e : map) f(e.second); }); });
}

[[noreturn]] void fail_valueless(std::string_view name);

template <class T, class Each>
void encode_variant_columns(save_plan& plan, walk_name& name, const extents& prefix, Each each) {
  each([&](const T& v) { if (is_valueless(v)) fail_valueless(name.text()); });
  {
    const auto scope = name.side("index");
    plan.add_made(name.text(), dtype::u32, prefix, 4, [each](output_stream& out) {
      each([&](const T& v) { out.put(static_cast<std::uint32_t>(alternative_index(v))); });
    });
  }
  for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
    std::uint64_t count = 0;
    each([&](const T& v) { count += alternative_index(v) == I; });
    const auto scope = name.side(I);
    encode_column<A>(plan, name, extents(count), [each](auto f) {
      each([&](const T& v) { if (alternative_index(v) == I) f(alternative<I>(v)); });
    });
  });
}

template <class T, class Each>
void encode_column(save_plan& plan, walk_name& name, const extents& prefix, Each each) {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    std::uint64_t index = 0;
    each([&](const T& value) {  // once now, so that a value which cannot be saved is named
      const auto scope = name.element(index++);
      at_place(name.text(), [&] { static_cast<void>(representation<T>::snapshot(value)); });
    });
    encode_column<typename representation<T>::type>(
        plan, name, prefix, [each](auto f) { each([&](const T& value) { f(representation<T>::snapshot(value)); }); });
  } else if constexpr (is == category::packed) {
    gathered_texts& packed = plan.keep(gathered_texts{});
    each([&](const T& value) {
      at_place(name.text(), [&] { pack(packed.bytes, value); });
      packed.offsets.push_back(packed.bytes.size());
    });
    {
      const auto scope = name.side("offsets");
      plan.add_bytes(name.text(), dtype::u64, extents(packed.offsets.size()), 8, packed.offsets.data());
    }
    plan.add_bytes(name.text(), dtype::u8, extents(packed.bytes.size()), 1, packed.bytes.data());
  } else if constexpr (fixed_leaf<T>::is_leaf) {
    encode_leaf_column<T>(plan, name, prefix, each);
  } else if constexpr (is == category::text) {
    const std::uint64_t total = encode_offsets(plan, name, prefix.count(), each, size_of_container);
    plan.add_made(name.text(), dtype::u8, extents(total), 1,
                  [each](output_stream& out) { each([&](const T& text) { out.write(bytes_of(text)); }); });
  } else if constexpr (is == category::array || is == category::sequence || is == category::set) {
    using E = element_of<T>;
    const auto each_element = [each](auto f) { each([&](const T& all) { for_each_element(all, f); }); };
    if constexpr (is == category::set) require_ordered_keys<E>(name, each_element);
    if constexpr (is_fixed_size<T>) {
      encode_column<E>(plan, name, prefix.with(structure<T>::extent), each_element);
    } else {
      encode_buckets<T>(plan, name, prefix, each);
      const std::uint64_t total = encode_offsets(plan, name, prefix.count(), each, size_of_container);
      const auto scope = name.payload(!fixed_leaf<E>::is_leaf && has_side_tensors_repeated<E>());
      encode_count<E>(plan, name, total);
      encode_column<E>(plan, name, extents(total), each_element);
    }
  } else if constexpr (is == category::map) {
    encode_buckets<T>(plan, name, prefix, each);
    const std::uint64_t total = encode_offsets(plan, name, prefix.count(), each, size_of_container);
    encode_map_columns<T>(plan, name, total, each);
  } else if constexpr (is == category::optional) {
    using E = element_of<T>;
    std::uint64_t count = 0;
    each([&](const T& value) { count += static_cast<bool>(value); });
    {
      const auto scope = name.side("has");
      plan.add_made(name.text(), dtype::boolean, prefix, 1, [each](output_stream& out) {
        each([&](const T& value) { out.put(static_cast<bool>(value)); });
      });
    }
    const auto scope = name.payload(has_side_tensors<E, true>());
    encode_column<E>(plan, name, extents(count), [each](auto f) { each([&](const T& value) { if (value) f(*value); }); });
  } else if constexpr (is == category::variant) {
    encode_variant_columns<T>(plan, name, prefix, each);
  } else {
    static_assert(is == category::record || is == category::tuple, "tidemark: what is stored as_rows cannot hold named_tensors or arrays that the program owns");
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      const auto scope = name.member(child_name<T, I>());
      encode_column<M>(plan, name, prefix, [each](auto f) { each([&](const T& value) { f(child<I>(value)); }); });
    });
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/encode_columns.ipp>
#endif
#endif
