// SPDX-License-Identifier: BSL-1.0
// model/member_list.hpp: a class lists its members once, for both directions, or names those that are no state (floor: model).
#ifndef TIDEMARK_MODEL_MEMBER_LIST_HPP
#define TIDEMARK_MODEL_MEMBER_LIST_HPP

#include <tidemark/reflect/members.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tidemark {

/// A base class whose members are state too, kept under its own name.
template <class B>
struct base_class {};
template <class B>
inline constexpr base_class<B> base{};

/// A member or base under a name that is given: for files that other programs name, and in a `.cu`, where names cannot be derived.
template <class P>
struct named_member {
  std::string_view name;
  P what;
};
/// `name` may hold what an identifier may; each name of a class is its own.
template <class P>
constexpr named_member<P> member(std::string_view name, P what) {
  return {name, what};
}

template <class... P>
struct member_list {
  std::tuple<P...> all;
};

/// What a class with private members, constructors or bases consists of, listed once for saving and loading:
/// `static constexpr auto checkpoint_members = tidemark::members(&T::step, &T::rate, tidemark::base<B>);`
/// in its public part. Members that are left out are no state: a load leaves them as they are. With
/// `static constexpr auto checkpoint_skip = tidemark::members(&T::cache);` an aggregate leaves some out instead.
template <class... P>
constexpr member_list<P...> members(P... each) {
  return {std::tuple<P...>{each...}};
}

/// A member that is no state: a mutex, a cache, a handle. Not saved; left as it is on load.
template <class T>
struct transient {
  T value{};

  constexpr T& operator*() noexcept { return value; }
  constexpr const T& operator*() const noexcept { return value; }
  constexpr T* operator->() noexcept { return std::addressof(value); }
  constexpr const T* operator->() const noexcept { return std::addressof(value); }
};

namespace detail {

template <class T>
inline constexpr bool is_transient = false;
template <class T>
inline constexpr bool is_transient<transient<T>> = true;
template <class T>
inline constexpr bool is_transient<const transient<T>> = true;

template <class T>
concept ListsMembers = std::is_class_v<T> && requires { std::tuple_size<decltype(T::checkpoint_members.all)>::value; };

template <class T>
concept SkipsMembers = std::is_class_v<T> && requires { std::tuple_size<decltype(T::checkpoint_skip.all)>::value; };

template <class P>
struct listed_member;
template <class C, class M>
struct listed_member<M C::*> {
  using type = M;
  template <class T>
  static constexpr auto& get(T& value, M C::* pointer) noexcept { return value.*pointer; }
};
template <class B>
struct listed_member<base_class<B>> {
  using type = B;
  template <class T>
  static constexpr auto& get(T& value, base_class<B>) noexcept {
    static_assert(std::is_convertible_v<std::remove_const_t<T>*, B*>, "tidemark: checkpoint_members lists a base that is no public base of the class; list its members in the base, or make it public");
    return static_cast<std::conditional_t<std::is_const_v<T>, const B, B>&>(value);
  }
};
template <class P>
struct listed_member<named_member<P>> : listed_member<P> {
  template <class T>
  static constexpr auto& get(T& value, const named_member<P>& m) noexcept { return listed_member<P>::get(value, m.what); }
};

/// The base that a list's entry names, or `Otherwise`.
template <class P, class Otherwise>
struct listed_base {
  using type = Otherwise;
};
template <class B, class Otherwise>
struct listed_base<base_class<B>, Otherwise> {
  using type = B;
};
template <class P, class Otherwise>
struct listed_base<named_member<P>, Otherwise> : listed_base<P, Otherwise> {};

/// The class whose member a list's entry is; void for a base.
template <class P>
struct owner_of_listed {
  using type = void;
};
template <class C, class M>
struct owner_of_listed<M C::*> {
  using type = C;
};
template <class P>
struct owner_of_listed<named_member<P>> : owner_of_listed<P> {};

template <class T, class... P>
consteval bool is_own_list(const std::tuple<P...>*) {
  constexpr bool has_foreign = (!(std::is_same_v<typename owner_of_listed<P>::type, T> || std::is_void_v<typename owner_of_listed<P>::type>) || ...);
  return !has_foreign || (std::is_same_v<typename owner_of_listed<P>::type, T> || ...);
}

/// Whether `T` has its list from a base alone: what it adds itself would be lost unseen.
template <class T>
consteval bool inherits_its_list() {
  if constexpr (!ListsMembers<T>) return false;
  else return !is_own_list<T>(static_cast<const std::remove_cvref_t<decltype(T::checkpoint_members.all)>*>(nullptr));
}

template <class T, std::size_t I>
using listed_type = std::remove_cvref_t<decltype(std::get<I>(T::checkpoint_members.all))>;

template <class P>
inline constexpr bool is_named_member = false;
template <class P>
inline constexpr bool is_named_member<named_member<P>> = true;
template <class P>
inline constexpr bool is_base_class = false;
template <class B>
inline constexpr bool is_base_class<base_class<B>> = true;

template <class T, std::size_t I>
constexpr std::string_view listed_name() {
  using P = listed_type<T, I>;
  if constexpr (is_named_member<P>) return std::get<I>(T::checkpoint_members.all).name;
  else if constexpr (is_base_class<P>) return reflect::type_identifier<typename listed_member<P>::type>();
  else return reflect::pointer_name<std::get<I>(T::checkpoint_members.all)>();
}

template <class T, std::size_t I, std::size_t... S>
consteval bool is_skipped(std::index_sequence<S...>) {
  return (reflect::is_member<T, I, std::get<S>(T::checkpoint_skip.all)>() || ...);
}

/// Whether the member at position `I` of an aggregate is state.
template <class T, std::size_t I>
consteval bool is_state_member() {
  if constexpr (is_transient<reflect::member_type<T, I>>) return false;
  else if constexpr (SkipsMembers<T>) return !is_skipped<T, I>(std::make_index_sequence<std::tuple_size_v<decltype(T::checkpoint_skip.all)>>{});
  else return true;
}

/// The positions of the members that are state.
template <class T, std::size_t Next, std::size_t Count, std::size_t... Kept>
consteval auto state_members(std::index_sequence<Kept...> kept) {
  if constexpr (Next == Count) return kept;
  else if constexpr (is_state_member<T, Next>()) return state_members<T, Next + 1, Count>(std::index_sequence<Kept..., Next>{});
  else return state_members<T, Next + 1, Count>(kept);
}
template <class T, std::size_t... I>
consteval auto state_members(std::index_sequence<I...> all) {
  if constexpr ((is_state_member<T, I>() && ...)) return all;
  else return state_members<T, 0, sizeof...(I)>(std::index_sequence<>{});
}

}  // namespace detail
}  // namespace tidemark
#endif
