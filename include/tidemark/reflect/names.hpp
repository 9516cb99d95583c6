// SPDX-License-Identifier: BSL-1.0
// reflect/names.hpp: the names of an aggregate's members, read from the compiler's own text; floor reflect.
#ifndef TIDEMARK_REFLECT_NAMES_HPP
#define TIDEMARK_REFLECT_NAMES_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tidemark/reflect/bindings.hpp>
#include <tidemark/reflect/tie.hpp>

namespace tidemark::reflect {
namespace detail {

template <class T>
struct pinned {
  T value;
};

/// An address as a template argument. It is wrapped because clang before 18 takes no bare pointer to a member of an object.
template <class M>
struct address {
  M* of;
};

template <class M>
address(M*) -> address<M>;

template <std::size_t I, class M>
struct address_at {
  M* of;
};

template <class Indices, class... M>
struct addresses;

template <std::size_t... I, class... M>
struct addresses<std::index_sequence<I...>, M...> : address_at<I, M>... {};

struct addresses_of_members {
  template <class... M>
  constexpr auto operator()(M&... member) const noexcept {
    return addresses<std::index_sequence_for<M...>, M...>{{__builtin_addressof(member)}...};
  }
};

template <std::size_t I, class M>
constexpr M* pick(const address_at<I, M>& at) noexcept {
  return at.of;
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

/// Declared, never defined: only the names of its members are asked for.
template <class T>
extern const pinned<T> specimen;

/// Not a variable: g++ would emit one for a local type, and with it the need for a definition of `specimen`.
template <class T>
consteval auto specimen_addresses() {
  return bindings<member_count<T>()>::visit(specimen<T>.value, addresses_of_members{});
}

// Each text is given its length: libstdc++ counts the letters of a constant one by one, which clang's limit of steps does not bear.
template <address Member>
constexpr auto spelled() noexcept {
  return std::string_view{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

constexpr bool is_identifier(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || static_cast<unsigned char>(c) > 127;
}

/// The last identifier of `text`.
constexpr std::string_view last_identifier(std::string_view text) noexcept {
  while (!text.empty() && !is_identifier(text.back())) text.remove_suffix(1);
  std::size_t first = text.size();
  while (first > 0 && is_identifier(text[first - 1])) --first;
  return text.substr(first);
}

template <class T, std::size_t I>
constexpr std::string_view name_of_member() noexcept {
#if defined(__CUDACC__)
  return last_identifier(spelled<address{pick<I>(specimen_addresses<T>())}>());
#else
  constexpr std::string_view name = last_identifier(spelled<address{pick<I>(specimen_addresses<T>())}>());  // not at each save
  return name;
#endif
}

template <auto Pointer>
constexpr auto spelled_pointer() noexcept {
  return std::string_view{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

template <class T>
constexpr auto spelled_type() noexcept {
  return std::string_view{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

template <class A, class B>
constexpr bool is_same_address(A* a, B* b) noexcept {
  if constexpr (std::is_same_v<std::remove_cv_t<A>, std::remove_cv_t<B>>) return a == b;
  else return false;
}

template <class T, std::size_t I, auto Pointer>
consteval bool is_member_at() {
  return is_same_address(__builtin_addressof(specimen<T>.value.*Pointer), pick<I>(specimen_addresses<T>()));
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace detail

/// Name of the member that `Pointer` points to. Right at run time everywhere but under nvcc, as `member_name`.
template <auto Pointer>
constexpr std::string_view pointer_name() noexcept {
  return detail::last_identifier(detail::spelled_pointer<Pointer>());
}

/// `T` as the compiler spells it, with its namespaces and template arguments. Constant time: the names of nested containers and tuples
/// have tens of thousands of letters, and clang takes a million steps for one constant.
template <class T>
constexpr std::string_view type_text() noexcept {
  constexpr std::string_view known = detail::spelled_type<void>();
  constexpr std::size_t before = known.find("void"), around = known.size() - 4;
  const std::string_view text = detail::spelled_type<T>();
  return text.substr(before, text.size() - around);
}

/// Name of the class `T` without its namespaces and template arguments.
template <class T>
constexpr std::string_view type_identifier() noexcept {
  const std::string_view text = type_text<T>();
  int depth = 0;
  const char *begin = text.data(), *end = begin;
  for (const char& c : text) {
    if (c == '<') ++depth;
    else if (c == '>') --depth;
    else if (depth == 0 && detail::is_identifier(c)) {
      if (end != &c) begin = &c;
      end = &c + 1;
    }
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Whether `Pointer` points to the member of `T` at position `I`.
template <class T, std::size_t I, auto Pointer>
consteval bool is_member() {
  return detail::is_member_at<std::remove_const_t<T>, I, Pointer>();
}

/// Name of the member at position `I` as it is declared, in UTF-8. Right at run time everywhere; the front end of nvcc sees another
/// text, so never let a template argument or a static_assert depend on it.
template <class T, std::size_t I>
constexpr std::string_view member_name() noexcept {
  return detail::name_of_member<std::remove_const_t<T>, I>();
}

}  // namespace tidemark::reflect
#endif
