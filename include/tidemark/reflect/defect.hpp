// SPDX-License-Identifier: BSL-1.0
// reflect/defect.hpp: whether a type can be reflected, and why not; floor reflect.
#ifndef TIDEMARK_REFLECT_DEFECT_HPP
#define TIDEMARK_REFLECT_DEFECT_HPP

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tidemark/reflect/bindings.hpp>
#include <tidemark/reflect/count.hpp>

namespace tidemark::reflect {

/// The largest number of members that is reflected.
inline constexpr std::size_t max_members = detail::most_bindings;

/// What keeps a type from being reflected member by member.
enum class defect {
  none,
  not_an_aggregate,     ///< not a class, or one with constructors, private members, virtual functions or private bases
  is_union,
  has_base_with_data,   ///< bases without members are fine
  has_bit_field,
  has_anonymous_union,  ///< or another member of a union type without a name
  has_reference,
  is_packed,            ///< a member lies where its type must not: no reference may be bound to it
  uncountable,          ///< a member cannot be initialized from a value of its type, or the class is a tuple (`std::array`)
  too_many_members,     ///< more than `max_members`
};

namespace detail {

struct analysis {
  defect found = defect::none;
  std::size_t members = 0;
  bool plain = false;  // no base, array or member without a default constructor
};

struct types_of_members {
  template <class... M>
  constexpr list<M...> operator()(M&...) const {
    return {};
  }
};

/// What only the members themselves tell. They are bound through a volatile T: that volatility reaches values and not what a
/// reference refers to, and no reference to volatile binds to a bit-field.
template <class T, class... M>
consteval defect defect_among(list<M...>) {
  if (!(std::is_volatile_v<M> && ...)) return defect::has_reference;
  return ((alignof(M) > alignof(T)) || ...) ? defect::is_packed : defect::none;
}

template <class T>
consteval defect defect_among(unbindable) {
  return defect::has_bit_field;
}

template <class T, std::size_t Members>
consteval defect defect_among_members() {
  return defect_among<T>(decltype(bindings<Members>::visit(std::declval<volatile T&>(), types_of_members{})){});
}

template <class T, initializer Full>
  requires(Full.empties > most_clauses)
consteval analysis analyze_countable() {
  return {defect::too_many_members};
}

template <class T, initializer Full>
consteval analysis analyze_countable() {
  constexpr direct_bases bases = bases_behind<T, Full>(list<>{});
  constexpr std::size_t members = folded<T, Full>() + Full.empties - bases.count;
  if constexpr (bases.hold_data) {
    return {defect::has_base_with_data};
  } else if constexpr (members > max_members) {
    return {defect::too_many_members};
  } else if constexpr (has_unnamed_union<T, Full>()) {
    return {defect::has_anonymous_union};
  } else {
    return {defect_among_members<T, members>(), members, bases.count == 0 && Full.prefix == 0};
  }
}

/// Whether T, which no list of values initializes, takes lvalues: then a reference is among its members.
template <class T, std::size_t... I>
consteval bool needs_lvalue(std::index_sequence<I...>) {
  return full_initializer<T, any_lvalue>().found || (accepts<T, list<>, I, list<any_lvalue>>() || ...);
}

template <class T>
consteval analysis analyze_aggregate() {
  constexpr initializer full = full_initializer<T, any_value>();
  if constexpr (full.found) return analyze_countable<T, full>();
  else return {needs_lvalue<T>(std::make_index_sequence<max_members>{}) ? defect::has_reference : defect::uncountable};
}

template <class T>
consteval analysis analyze() {
  if constexpr (std::is_union_v<T>) return {defect::is_union};
  else if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) return {defect::not_an_aggregate};
  else if constexpr (requires { std::tuple_size<T>::value; }) return {defect::uncountable};
  else return analyze_aggregate<T>();
}

template <class T>
inline constexpr analysis analysis_of = analyze<T>();

template <class T>
inline constexpr analysis analysis_of<const T> = analysis_of<T>;

}  // namespace detail

/// Why `T` cannot be reflected; `none` where it can. Compiles for every complete type, of which it instantiates no member function.
template <class T>
inline constexpr defect defect_of = detail::analysis_of<T>.found;

}  // namespace tidemark::reflect
#endif
