// SPDX-License-Identifier: BSL-1.0
// model/access.hpp: one way to ask any container, optional or variant for its contents (floor: model).
#ifndef TIDEMARK_MODEL_ACCESS_HPP
#define TIDEMARK_MODEL_ACCESS_HPP

#include <tidemark/model/structure.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace tidemark::detail {

/// Number of elements. Linear for a forward_list.
template <class T>
constexpr std::uint64_t count_of(const T& all) {
  if constexpr (requires { all.size(); }) return static_cast<std::uint64_t>(all.size());
  else return static_cast<std::uint64_t>(std::distance(std::begin(all), std::end(all)));
}

/// Makes it `size` elements, those that stay untouched where the container can do that.
template <class T>
void resize_to(T& all, std::size_t size) {
  if (count_of(all) != size) all.resize(size);
}

/// Elements that are handed out by value: of vector<bool> and bitset.
template <class T>
concept HasProxies = Bitset<T> || (std::is_same_v<element_of<T>, bool> && requires(T& t) { requires !std::is_same_v<decltype(*t.begin()), bool&>; });

/// Calls `f(const E&)` for each element, in order.
template <class T, class F>
void for_each_element(const T& all, F&& f) {
  using E = element_of<T>;
  if constexpr (Bitset<T>) {
    for (std::size_t i = 0; i < all.size(); ++i) f(static_cast<const bool&>(all[i]));
  } else {
    for (const auto& e : all) f(static_cast<const E&>(e));
  }
}

/// Calls `f(E&)` for each element, in order, and keeps what it made of it.
template <class T, class F>
void for_each_slot(T& all, F&& f) {
  using E = element_of<T>;
  if constexpr (HasProxies<T>) {
    const std::size_t size = all.size();
    for (std::size_t i = 0; i < size; ++i) {
      bool value = all[i];
      f(value);
      all[i] = value;
    }
  } else {
    for (E& e : all) f(e);
  }
}

/// The elements side by side in memory, or null where they are not.
template <class T>
auto* contiguous(T& all) noexcept {
  using E = std::conditional_t<std::is_const_v<T>, const element_of<std::remove_const_t<T>>, element_of<std::remove_const_t<T>>>;
  if constexpr (requires { { all.data() } -> std::convertible_to<E*>; }) return static_cast<E*>(all.data());
  else if constexpr (std::is_array_v<T>) return static_cast<E*>(all);
  else if constexpr (requires { all.cshift(0); }) return all.size() == 0 ? static_cast<E*>(nullptr) : static_cast<E*>(std::addressof(all[0]));  // valarray
  else return static_cast<void*>(nullptr);
}

template <class T>
inline constexpr bool is_contiguous = !std::is_void_v<std::remove_pointer_t<decltype(contiguous(std::declval<T&>()))>>;

/// What an empty optional or unique_ptr is given before its value is read.
template <class T>
void make_value(T& optional) {
  if constexpr (requires { optional.emplace(); }) optional.emplace();
  else optional.reset(new element_of<T>());
}

// A variant, or an expected: its value first, then its error.
template <class T>
bool is_valueless(const T& v) noexcept {
  if constexpr (Expected<T>) return false;
  else return v.valueless_by_exception();
}
template <class T>
std::size_t alternative_index(const T& v) noexcept {
  if constexpr (Expected<T>) return v.has_value() ? 0 : 1;
  else return v.index();
}
/// The alternative `I`, which must be the active one.
template <std::size_t I, class T>
auto& alternative(T& v) noexcept {
  using V = std::remove_const_t<T>;
  if constexpr (!Expected<V>) {
    return *std::get_if<I>(&v);
  } else if constexpr (I == 1) {
    return v.error();
  } else if constexpr (std::is_void_v<typename V::value_type>) {
    static std::monostate nothing;
    return nothing;
  } else {
    return *v;
  }
}
template <std::size_t I, class T>
void activate(T& v) {
  if (alternative_index(v) == I) return;
  if constexpr (!Expected<T>) v.template emplace<I>();
  else if constexpr (I == 1) v = typename T::unexpected_type(typename T::error_type());
  else if constexpr (requires { v.emplace(); }) v.emplace();
  else v = typename T::value_type();  // its emplace takes no constructor that may throw
}

}  // namespace tidemark::detail
#endif
