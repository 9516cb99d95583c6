// SPDX-License-Identifier: BSL-1.0
// reflect/names.hpp: the names of an aggregate's members, read from the compiler's own text; floor reflect.
#ifndef TIDEMARK_REFLECT_NAMES_HPP
#define TIDEMARK_REFLECT_NAMES_HPP

#include <cstddef>
#include <string_view>
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

template <address Member>
constexpr auto spelled() noexcept {
  return std::string_view{__PRETTY_FUNCTION__};
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
  return last_identifier(spelled<address{pick<I>(specimen_addresses<T>())}>());
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace detail

/// Name of the member at position `I` as it is declared, in UTF-8. Right at run time everywhere; the front end of nvcc sees another
/// text, so never let a template argument or a static_assert depend on it.
template <class T, std::size_t I>
constexpr std::string_view member_name() noexcept {
  return detail::name_of_member<std::remove_const_t<T>, I>();
}

}  // namespace tidemark::reflect
#endif
