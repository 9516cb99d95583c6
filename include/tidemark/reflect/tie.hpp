// SPDX-License-Identifier: BSL-1.0
// reflect/tie.hpp: the members of an aggregate, counted, typed and bound to references; the only file with Boost.PFR; floor reflect.
#ifndef TIDEMARK_REFLECT_TIE_HPP
#define TIDEMARK_REFLECT_TIE_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/pfr/core.hpp>

#include <tidemark/reflect/defect.hpp>

namespace tidemark::reflect {

/// Number of members that `T` declares itself, a C array being one. Zero for an empty class.
template <class T>
consteval std::size_t member_count() {
  static_assert(defect_of<T> == defect::none, "tidemark: this type cannot be reflected; tidemark::reflect::defect_of says why");
  return detail::analysis_of<T>.members;
}

namespace detail {

/// Whether Boost.PFR counts T as we do. It counts by copying members, and on clang a copy constructor that does not compile (of a
/// vector of what cannot be copied; its issue 131) stops the compiler there: so it is asked only where copying is trivial. It is not
/// asked about bases, on which it stops, nor about single members, on which it stops under nvcc, nor about C arrays, whose elements it
/// takes for members.
template <class T>
consteval bool suits_pfr() {
  constexpr std::size_t members = member_count<T>();
  if constexpr (members < 2 || !analysis_of<T>.plain || !std::is_trivially_copyable_v<T> || !std::is_copy_constructible_v<T>) return false;
  else if constexpr (!accepts<T, repeat<any_lvalue, members>, 0>() || accepts<T, repeat<any_lvalue, members + 1>, 0>()) return false;
  else return boost::pfr::tuple_size_v<T> == members;
}

struct references {
  template <class... M>
  constexpr std::tuple<M&...> operator()(M&... member) const noexcept {
    return std::tuple<M&...>{member...};
  }
};

template <std::size_t I, class M>
struct indexed {};

template <class Indices, class Members>
struct indexed_all;

template <std::size_t... I, class... M>
struct indexed_all<std::index_sequence<I...>, list<M...>> : indexed<I, M>... {};

template <std::size_t I, class M>
std::type_identity<M> type_at(indexed<I, M>);

template <class T>
using indexed_members = indexed_all<std::make_index_sequence<member_count<T>()>,
                                    decltype(bindings<member_count<T>()>::visit(std::declval<T&>(), types_of_members{}))>;

struct untyped_addresses {
  template <class... M>
  std::array<const void*, sizeof...(M)> operator()(M&... member) const noexcept { return {const_cast<const void*>(static_cast<const volatile void*>(std::addressof(member)))...}; }
};

}  // namespace detail

/// References to the members of `value` in order of declaration; const ones where it is const. A C array is a reference to the array.
template <class T>
constexpr auto tie(T& value) noexcept {
  if constexpr (detail::suits_pfr<std::remove_const_t<T>>()) return boost::pfr::structure_tie(value);
  else return detail::bindings<member_count<T>()>::visit(value, detail::references{});
}

/// Where the members of `value` are, in order of declaration. Costs the compiler a function a type, and no tuple.
template <class T>
auto member_addresses(T& value) noexcept {
  return detail::bindings<member_count<T>()>::visit(value, detail::untyped_addresses{});
}

/// Declared type of the member at position `I`, its const kept.
template <class T, std::size_t I>
using member_type = typename decltype(detail::type_at<I>(detail::indexed_members<T>{}))::type;

/// Calls `f(member, std::integral_constant<std::size_t, I>{})` for the members of `value` in order of declaration.
template <class T, class F>
constexpr void for_each_member(T& value, F&& f) {
  detail::bindings<member_count<T>()>::visit(value, [&f](auto&... member) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (static_cast<void>(f(member, std::integral_constant<std::size_t, I>{})), ...);
    }(std::make_index_sequence<sizeof...(member)>{});
  });
}

}  // namespace tidemark::reflect
#endif
