// SPDX-License-Identifier: BSL-1.0
// archive/encode.hpp: one value as named tensors (floor: archive).
#ifndef TIDEMARK_ARCHIVE_ENCODE_HPP
#define TIDEMARK_ARCHIVE_ENCODE_HPP

#include <tidemark/archive/borrowed.hpp>
#include <tidemark/archive/encode_columns.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

template <class T>
void encode(save_plan& plan, walk_name& name, const T& value);

/// An array of scalars, fixed or not: its own memory where that is what the file holds.
template <class T>
void encode_array(save_plan& plan, walk_name& name, const T& all) {
  using E = element_of<T>;
  std::uint64_t count = 0;
  if constexpr (is_fixed_size<T>) count = structure<T>::extent;
  else require_loadable<E>(name, count = count_of(all));
  const extents shape = leaf_shape<E>(extents(count));
  if constexpr (is_direct_leaf<E> && is_contiguous<const T>) {
    plan.add_bytes(name.text(), leaf_traits<E>::type, shape, element_bytes<scalar_of<E>>, contiguous(all));
  } else {
    plan.add_made(name.text(), leaf_traits<E>::type, shape, element_bytes<scalar_of<E>>, [source = &all](output_stream& out) {
      for_each_element(*source, [&](const E& e) { write_leaf<E>(out, e); });
    });
  }
}

/// `each` of one value.
template <class T>
auto only(const T& value) {
  return [source = std::addressof(value)](auto f) { f(*source); };
}

template <class T>
void encode_sequence(save_plan& plan, walk_name& name, const T& all) {
  using E = element_of<T>;
  std::uint64_t count = 0;
  if constexpr (is_fixed_size<T>) count = structure<T>::extent;
  else count = count_of(all);
  if constexpr (is_modular<E>::value) {
    if constexpr (!is_fixed_size<T>) {
      const auto scope = name.side("size");
      plan.add_number(name.text(), count);
    }
    std::uint64_t index = 0;
    for (const E& e : all) {
      const auto scope = name.element(index++);
      encode<E>(plan, name, e);
    }
  } else {
    if constexpr (!is_fixed_size<T>) encode_count<E>(plan, name, count);
    encode_column<E>(plan, name, extents(count), [source = &all](auto f) { for (const E& e : *source) f(e); });
  }
}

template <class T>
void encode_set(save_plan& plan, walk_name& name, const T& set) {
  encode_buckets<T>(plan, name, {}, only(set));
  require_ordered_keys<element_of<T>>(name, [&](auto f) { for_each_element(set, f); });
  if constexpr (fixed_leaf<element_of<T>>::is_leaf) encode_array(plan, name, set);
  else encode_sequence(plan, name, set);
}

/// The tree is walked once, since at a hundred thousand values each walk costs as much as writing them: its keys are gathered.
template <class T>
void encode_named_map(save_plan& plan, walk_name& name, const T& map) {
  using V = typename structure<T>::mapped;
  gathered_texts& keys = plan.keep(gathered_texts{});
  std::vector<const V*> values;
  keys.offsets.reserve(map.size() + 1);
  values.reserve(map.size());
  for (const auto& [key, mapped] : map) {
    keys.add(key);
    values.push_back(std::addressof(mapped));
  }
  add_gathered_keys(plan, name, keys);
  const bool keep_dots = keeps_dots_of<V>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto scope = name.key(std::string_view(keys.bytes).substr(keys.offsets[i], keys.offsets[i + 1] - keys.offsets[i]), keep_dots);
    encode<V>(plan, name, *values[i]);
  }
}

template <class T>
void encode_map(save_plan& plan, walk_name& name, const T& map) {
  using K = typename structure<T>::key;
  using V = typename structure<T>::mapped;
  const auto count = static_cast<std::uint64_t>(map.size());
  {
    const auto scope = name.side("keys");
    const auto each_key = [source = &map](auto f) { for (const auto& e : *source) f(e.first); };
    encode_count<K>(plan, name, count);
    require_ordered_keys<K>(name, each_key);
    encode_column<K>(plan, name, extents(count), each_key);
  }
  if constexpr (is_modular<V>::value) {
    std::uint64_t index = 0;
    for (const auto& e : map) {
      const auto scope = name.element(index++);
      encode<V>(plan, name, e.second);
    }
  } else {
    const auto scope = name.payload(has_side_tensors<V, true>());
    encode_column<V>(plan, name, extents(count), [source = &map](auto f) { for (const auto& e : *source) f(e.second); });
  }
}

/// Adds the tensors of `value` to `plan`. `value` must stay as it is until they are written. Linear in the number of tensors
/// and rows; nothing large is copied.
template <class T>
void encode(save_plan& plan, walk_name& name, const T& value) {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    using V = typename representation<T>::type;
    if constexpr (std::is_lvalue_reference_v<decltype(representation<T>::snapshot(value))>) {
      encode<V>(plan, name, at_place(name.text(), [&]() -> const V& { return representation<T>::snapshot(value); }));  // no copy
    } else {
      encode<V>(plan, name, plan.keep(at_place(name.text(), [&] { return representation<T>::snapshot(value); })));
    }
  } else if constexpr (is == category::scalar) {
    if constexpr (is_direct_leaf<T>) {
      plan.add_bytes(name.text(), scalar_traits<T>::type, leaf_shape<T>({}), element_bytes<T>, std::addressof(value));
    } else {
      plan.add_made(name.text(), scalar_traits<T>::type, leaf_shape<T>({}), element_bytes<T>,
                    [source = std::addressof(value)](output_stream& out) { write_leaf<T>(out, *source); });
    }
  } else if constexpr (is == category::text) {
    plan.add_bytes(name.text(), dtype::u8, extents(value.size()), 1, value.data());
  } else if constexpr (is == category::borrowed) {
    encode_borrowed(plan, name, value);
  } else if constexpr (is == category::tensors) {
    encode_tensors(plan, name, value);
  } else if constexpr (is == category::packed) {
    std::string& packed = plan.keep(std::string{});
    at_place(name.text(), [&] { pack(packed, value); });
    plan.add_bytes(name.text(), dtype::u8, extents(packed.size()), 1, packed.data());
  } else if constexpr (is == category::array) {
    encode_array(plan, name, value);
  } else if constexpr (is == category::sequence) {
    encode_sequence(plan, name, value);
  } else if constexpr (is == category::set) {
    encode_set(plan, name, value);
  } else if constexpr (is == category::map) {
    encode_buckets<T>(plan, name, {}, only(value));
    if constexpr (is_named_map<T>) encode_named_map(plan, name, value);
    else encode_map(plan, name, value);
  } else if constexpr (is == category::optional) {
    using E = element_of<T>;
    {
      const auto scope = name.side("has");
      plan.add_made(name.text(), dtype::boolean, {}, 1, [source = std::addressof(value)](output_stream& out) { out.put(static_cast<bool>(*source)); });
    }
    const auto scope = name.payload(has_side_tensors<E, false>());
    if (value) encode<E>(plan, name, *value);
  } else if constexpr (is == category::variant) {
    if (is_valueless(value)) fail_valueless(name.text());
    {
      const auto scope = name.side("index");
      plan.add_made(name.text(), dtype::u32, {}, 4,
                    [source = std::addressof(value)](output_stream& out) { out.put(static_cast<std::uint32_t>(alternative_index(*source))); });
    }
    for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
      if (alternative_index(value) != I) return;
      const auto scope = name.side(I);
      encode<A>(plan, name, alternative<I>(value));
    });
  } else {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      const auto scope = name.member(child_name<T, I>());
      encode<M>(plan, name, child<I>(value));
    });
  }
}

/// The plan of a whole state.
template <class T>
save_plan plan_of(const T& state) {
  save_plan plan;
  walk_name name(layout_of<T> == category::record);
  encode<T>(plan, name, state);
  plan.finish();
  return plan;
}

}  // namespace tidemark::detail
#endif
