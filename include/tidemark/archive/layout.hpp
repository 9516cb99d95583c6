// SPDX-License-Identifier: BSL-1.0
// archive/layout.hpp: from a type alone, how its values become tensors: one by one, by column, or by name (floor: archive).
#ifndef TIDEMARK_ARCHIVE_LAYOUT_HPP
#define TIDEMARK_ARCHIVE_LAYOUT_HPP

#include <tidemark/model/evolution.hpp>
#include <tidemark/model/structure.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

namespace tidemark::detail {

/// The type that is stored for `T`: its representation, followed to the end, or `T` itself.
template <class T>
struct stored_as {
  using type = T;
};
template <class T>
  requires(category_of<T> == category::represented)
struct stored_as<T> : stored_as<typename representation<T>::type> {};

template <class T>
using stored = typename stored_as<T>::type;

/// The category of what is stored for `T`: never `represented`.
template <class T>
inline constexpr category layout_of = category_of<stored<T>>;

template <template <class> class Predicate, class... C>
consteval bool any_child(type_list<C...>) {
  return (Predicate<C>::value || ...);
}

template <class T>
consteval bool holds_runtime_array();
template <class T>
consteval bool holds_module();

/// Whether a value holds, anywhere inside, a container whose size is known only at run time. Text does not count.
template <class T>
struct has_runtime_array : std::bool_constant<holds_runtime_array<T>()> {};

/// A module, or something that holds modules: repeated, its tensors are named one by one; anything else goes by column.
template <class T>
struct is_modular : std::bool_constant<holds_module<T>()> {};

template <class T>
consteval bool holds_runtime_array() {
  constexpr category is = layout_of<T>;
  if constexpr (is == category::packed) return false;  // bytes, as text is
  else if constexpr (is == category::map || is == category::set || is == category::borrowed || is == category::tensors) return true;
  else if constexpr ((is == category::array || is == category::sequence) && !is_fixed_size<stored<T>>) return true;
  else return any_child<has_runtime_array>(children_of<stored<T>>{});
}

template <class T>
consteval bool holds_module() {
  constexpr category is = layout_of<T>;
  if constexpr (is == category::packed || as_rows<stored<T>>) return false;
  else if constexpr (is == category::tensors) return true;
  else if constexpr (is == category::record || is == category::tuple) return has_runtime_array<T>::value;
  else return any_child<is_modular>(children_of<stored<T>>{});
}

/// A run-time sized array of scalars, such as a `vector<float>` or a `set<int>`.
template <class T>
consteval bool holds_plain_vector() {
  if constexpr (layout_of<T> == category::borrowed) return true;
  else if constexpr (layout_of<T> == category::set) return fixed_leaf<element_of<stored<T>>>::is_leaf;
  else return layout_of<T> == category::array && !is_fixed_size<stored<T>>;
}
template <class T>
inline constexpr bool is_plain_vector = holds_plain_vector<T>();

/// A map whose values have tensors of their own names, as in a PyTorch state_dict: text keys, values that are modules or arrays.
template <class M>
inline constexpr bool is_named_map =
    !Multiple<M> && category_of<typename structure<M>::key> == category::text &&
    (is_modular<typename structure<M>::mapped>::value || is_plain_vector<typename structure<M>::mapped>);

/// Where the number of repeated values can be read when they are stored by column.
enum class count_source : std::uint8_t {
  size_tensor,  ///< `name#size`: nothing else has one entry for each value
  shape,        ///< the first extent of a column
  offsets,      ///< the length of `#offsets`, less one
};

template <class... C>
consteval count_source first_count_source(type_list<C...>);

template <class T>
consteval count_source count_source_of() {
  using S = stored<T>;
  constexpr category is = layout_of<T>;
  if constexpr (is == category::scalar || is == category::optional || is == category::variant) {
    return count_source::shape;
  } else if constexpr (is == category::text || is == category::packed || is == category::map || is == category::set || is == category::borrowed || is == category::tensors) {
    return count_source::offsets;
  } else if constexpr (is == category::array) {
    return is_fixed_size<S> ? count_source::shape : count_source::offsets;
  } else if constexpr (is == category::sequence) {
    if constexpr (!is_fixed_size<S>) return count_source::offsets;
    else return count_source_of<element_of<S>>() == count_source::shape ? count_source::shape : count_source::size_tensor;
  } else {
    return first_count_source(children_of<S>{});
  }
}

template <class... C>
consteval count_source first_count_source(type_list<C...>) {
  count_source found = count_source::size_tensor;
  ((found == count_source::size_tensor ? void(found = count_source_of<C>()) : void()), ...);
  return found;
}

template <class T, bool InColumn>
consteval bool has_side_tensors();

/// The same for many values by column whose number must be told too.
template <class T>
consteval bool has_side_tensors_repeated() {
  return count_source_of<T>() == count_source::size_tensor || has_side_tensors<T, true>();
}

/// Whether the tensors of a value include some named `name#...`, so that a second structure at that name needs `name#item`.
template <class T, bool InColumn>
consteval bool has_side_tensors() {
  using S = stored<T>;
  constexpr category is = layout_of<T>;
  if constexpr (is == category::optional || is == category::variant || is == category::map || is == category::tensors || Unordered<S>) {
    return true;
  } else if constexpr (is == category::text || is == category::packed) {
    return InColumn;
  } else if constexpr (is == category::array) {
    return InColumn && !is_fixed_size<S>;
  } else if constexpr (is == category::sequence || is == category::set) {
    using E = element_of<S>;
    if constexpr (fixed_leaf<E>::is_leaf) return InColumn;
    else if constexpr (!InColumn && is_modular<E>::value) return !is_fixed_size<S>;
    else if constexpr (is_fixed_size<S>) return has_side_tensors<E, true>();
    else return InColumn || has_side_tensors_repeated<E>();
  } else {
    return false;
  }
}

/// Elements that take no bytes in a file cost memory all the same: no more of them, of `size` bytes each, than this.
constexpr std::uint64_t max_empty_elements(std::size_t size) noexcept {
  return (std::min<std::uint64_t>)(std::uint64_t{1} << 20, (std::uint64_t{16} << 20) / (std::max<std::size_t>)(size, 1));
}

template <class T>
consteval bool takes_no_bytes();

template <class... C>
consteval bool all_take_no_bytes(type_list<C...>) {
  return (takes_no_bytes<C>() && ...);
}

/// Whether a value of this type leaves nothing in a file, repeated or not.
template <class T>
consteval bool takes_no_bytes() {
  using S = stored<T>;
  constexpr category is = layout_of<T>;
  if constexpr (is == category::record || is == category::tuple) return all_take_no_bytes(children_of<S>{});
  else if constexpr ((is == category::array || is == category::sequence) && is_fixed_size<S>) return structure<S>::extent == 0 || all_take_no_bytes(children_of<S>{});
  else return false;
}

/// Whether keys of this value have an order: a NaN has none.
template <class K>
constexpr bool is_ordered_key(const K& key) {
  if constexpr (std::is_floating_point_v<K>) return key == key;
  else return true;
}

/// Size of one element in memory: what the order of tensors in a file goes by.
template <class S>
inline constexpr std::uint8_t element_bytes = static_cast<std::uint8_t>(scalar_traits<S>::file_bytes);

}  // namespace tidemark::detail
#endif
