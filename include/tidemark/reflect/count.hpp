// SPDX-License-Identifier: BSL-1.0
// reflect/count.hpp: counts what an aggregate is initialized from, C arrays as one, without ever failing to compile; floor reflect.
#ifndef TIDEMARK_REFLECT_COUNT_HPP
#define TIDEMARK_REFLECT_COUNT_HPP

#include <cstddef>
#include <utility>

#include <tidemark/reflect/anything.hpp>
#include <tidemark/reflect/clauses.hpp>

// How it counts. `T{{}, {}, {}}` compiles up to the number of members (and bases) of T, arrays of any size taking one `{}` each, so
// the longest such list is the count. A member that `{}` cannot initialize (no default constructor, or an explicit one) ends
// that list too early; then the shortest prefix of placeholders is put before it that reaches over all such members. In a prefix
// the braces of an array are left out, so each of its elements takes a placeholder; `folded` makes them one again.

namespace tidemark::reflect::detail {

/// The longest prefix of placeholders that is tried; a type that needs more is not countable.
inline constexpr std::size_t longest_prefix = 128;

/// The longest array that is noticed where its elements have no default constructor and its initializer stands in the class.
inline constexpr std::size_t longest_required_array = 16;

template <class X, class Indices>
struct repeated;

template <class X, std::size_t... I>
struct repeated<X, std::index_sequence<I...>> {
  template <std::size_t>
  using same = X;
  using type = list<same<I>...>;
};

template <class X, std::size_t N>
using repeat = typename repeated<X, std::make_index_sequence<N>>::type;

template <class... A, class... B>
constexpr list<A..., B...> operator+(list<A...>, list<B...>) {
  return {};
}

template <class T, class... A>
consteval bool initializes(list<A...>) {
  return requires { T{A()...}; };
}

/// Whether `T{Prefix..., {} (Empties times), Suffix...}` is well formed.
template <class T, class Prefix, std::size_t Empties, class Suffix = list<>>
consteval bool accepts() {
  if constexpr (Empties == 0) return initializes<T>(Prefix{} + Suffix{});
  else if constexpr (Empties - 1 > most_clauses) return false;
  else return clauses<Empties - 1>::template initialize<T>(Prefix{}, list<>{}, list<>{}, Suffix{});
}

/// The largest number of empty braces that T accepts after Prefix, where it accepts Low of them and not High.
template <class T, class Prefix, std::size_t Low, std::size_t High>
consteval std::size_t longest_between() {
  constexpr std::size_t middle = (Low + High) / 2;
  if constexpr (middle == Low) return Low;
  else if constexpr (accepts<T, Prefix, middle>()) return longest_between<T, Prefix, middle, High>();
  else return longest_between<T, Prefix, Low, middle>();
}

/// The same without a bound, where it accepts Low of them.
template <class T, class Prefix, std::size_t Low = 0>
consteval std::size_t longest() {
  if constexpr (Low > most_clauses) return Low;
  else if constexpr (accepts<T, Prefix, Low * 2 + 2>()) return longest<T, Prefix, Low * 2 + 2>();
  else return longest_between<T, Prefix, Low, Low * 2 + 2>();
}

/// Whether T, which takes no further `{}`, still takes placeholders: one, or one for each element of an array.
template <class T, class Prefix, std::size_t Empties, std::size_t... More>
consteval bool goes_on(std::index_sequence<More...>) {
  return accepts<T, Prefix, Empties, list<any_lvalue>>() || (accepts<T, Prefix, Empties, repeat<any_value, More + 1>>() || ...);
}

/// A full initializer of a type: placeholders, then empty braces.
struct initializer {
  std::size_t prefix = 0, empties = 0;
  bool found = false;
  friend bool operator==(const initializer&, const initializer&) = default;
};

/// The full initializer of T with the shortest prefix of `Any`, if one is found.
template <class T, class Any, std::size_t Prefix = 0>
consteval initializer full_initializer() {
  using prefix = repeat<Any, Prefix>;
  if constexpr (Prefix > longest_prefix) {
    return {};
  } else if constexpr (!accepts<T, prefix, 0>()) {
    return full_initializer<T, Any, Prefix + 1>();
  } else {
    constexpr std::size_t empties = longest<T, prefix>();
    if constexpr (empties > most_clauses) return {Prefix, empties, true};  // more members than there are bindings, whatever follows
    else if constexpr (goes_on<T, prefix, empties>(std::make_index_sequence<longest_required_array>{})) return full_initializer<T, Any, Prefix + 1>();
    else return {Prefix, empties, true};
  }
}

/// Whether `T{At placeholders, {Size placeholders}, the placeholders left, {} (Empties times), Suffix...}` is well formed.
template <class T, initializer Full, std::size_t At, std::size_t Size, std::size_t Left, std::size_t Empties, class Suffix = list<>>
consteval bool accepts_braced() {
  return clauses<Empties>::template initialize<T>(repeat<any_value, At>{}, repeat<any_value, Size>{}, repeat<any_value, Left>{}, Suffix{});
}

/// Whether the element after the first At placeholders is an array that takes the Size next ones.
template <class T, initializer Full, std::size_t At, std::size_t Size>
consteval bool is_array_of() {
  constexpr std::size_t left = Full.prefix - At - Size;
  if constexpr (!accepts_braced<T, Full, At, Size, left, Full.empties>()) return false;
  else
    return !accepts_braced<T, Full, At, Size, left, Full.empties + 1>() &&
           !accepts_braced<T, Full, At, Size, left, Full.empties, list<any_value>>();
}

/// Whether Full could still fit with more placeholders, an array after the prefix taking what is too many.
template <class T, initializer Full, std::size_t... More>
consteval bool has_slack(std::index_sequence<More...>) {
  return (accepts<T, repeat<any_value, Full.prefix + More + 1>, Full.empties>() || ...);
}

/// The number of placeholders that the element after the first At of them takes. The largest that fits is right: a smaller one may
/// seem to fit where there is slack.
template <class T, initializer Full, bool Slack, std::size_t At>
consteval std::size_t size_at() {
  constexpr std::size_t left = Full.prefix - At - 1;
  if constexpr (!Slack && (accepts_braced<T, Full, At, 0, left, Full.empties>() || accepts_braced<T, Full, At, 1, left, Full.empties>())) {
    return 1;  // an array in braces would leave too many placeholders
  } else {
    std::size_t size = 1;
    [&size]<std::size_t... I>(std::index_sequence<I...>) {
      ((size = is_array_of<T, Full, At, I + 2>() ? I + 2 : size), ...);
    }(std::make_index_sequence<left>{});
    return size;
  }
}

/// The number of members, and bases, that the prefix of Full initializes.
template <class T, initializer Full>
consteval std::size_t folded() {
  if constexpr (Full.prefix == 0) {
    return 0;
  } else {
    constexpr bool slack = has_slack<T, Full>(std::make_index_sequence<Full.prefix>{});
    return []<std::size_t... At>(std::index_sequence<At...>) {
      const std::size_t sizes[] = {size_at<T, Full, slack, At>()...};
      std::size_t members = 0;
      for (std::size_t at = 0; at < Full.prefix; at += sizes[at]) ++members;
      return members;
    }(std::make_index_sequence<Full.prefix>{});
  }
}

/// Whether Full still initializes T when its first clauses are `First...`.
template <class T, initializer Full, class... First>
consteval bool accepts_first(list<First...> first) {
  constexpr std::size_t count = sizeof...(First);
  if constexpr (count <= Full.prefix) return accepts<T, decltype(first + repeat<any_value, Full.prefix - count>{}), Full.empties>();
  else if constexpr (count <= Full.prefix + Full.empties) return accepts<T, list<First...>, Full.prefix + Full.empties - count>();
  else return false;
}

/// The direct bases, which an initializer lists before the members.
struct direct_bases {
  std::size_t count = 0;
  bool hold_data = false;
};

/// Those behind `Front`, which initializes the first ones. A greedy constructor, of a base or of the first member, takes every placeholder
/// as it is: only for a base does the placeholder also convert, and in two ways to none.
template <class T, initializer Full, class... Front>
consteval direct_bases bases_behind(list<Front...> front) {
  constexpr auto accepts_next = []<class X>(std::type_identity<X>) { return accepts_first<T, Full>(list<Front..., X>{}); };
  constexpr bool is_greedy = accepts_next(std::type_identity<uncopied>{});
  if constexpr (!is_greedy && !accepts_next(std::type_identity<any_base<T>>{})) {
    return {};
  } else if constexpr (is_greedy && accepts_next(std::type_identity<twice_any_base<T>>{})) {
    return {};
  } else {
    using filler = std::conditional_t<is_greedy, uncopied, any_base<T>>;
    constexpr bool holds_data = is_greedy ? !accepts_next(std::type_identity<twice_any_base_with_data<T>>{}) : accepts_next(std::type_identity<any_base_with_data<T>>{});
    constexpr direct_bases others = bases_behind<T, Full>(front + list<filler>{});
    return {others.count + 1, others.hold_data || holds_data};
  }
}

/// Whether X initializes the element at position At of the full initializer.
template <class T, initializer Full, std::size_t At, class X>
consteval bool accepts_at() {
  if constexpr (At < Full.prefix) return accepts_first<T, Full>(repeat<any_value, At>{} + list<X>{});
  else return accepts<T, repeat<any_value, Full.prefix>, At - Full.prefix, list<X>>();
}

template <class T, initializer Full, std::size_t At>
consteval bool is_unnamed_union_at() {
  if constexpr (!accepts_at<T, Full, At, any_unnamed_union>()) return false;
  else return !accepts_at<T, Full, At, any_around_unnamed_union>() && !accepts_at<T, Full, At, uncopied>();
}

/// Whether one of the members is a union without a name.
template <class T, initializer Full>
consteval bool has_unnamed_union() {
  return []<std::size_t... At>(std::index_sequence<At...>) {
    return (is_unnamed_union_at<T, Full, At>() || ...);
  }(std::make_index_sequence<Full.prefix + Full.empties>{});
}

}  // namespace tidemark::reflect::detail
#endif
