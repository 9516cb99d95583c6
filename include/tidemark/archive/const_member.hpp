// SPDX-License-Identifier: BSL-1.0
// archive/const_member.hpp: const members, which are read aside and must be what is stored (floor: archive).
#ifndef TIDEMARK_ARCHIVE_CONST_MEMBER_HPP
#define TIDEMARK_ARCHIVE_CONST_MEMBER_HPP

#include <tidemark/archive/pack.hpp>

#include <charconv>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace tidemark::detail {

/// Whether two values are equal as they are stored: bit for bit, so that a NaN equals itself.
template <class M>
bool are_stored_alike(const M& a, const M& b) {
  std::string left, right;
  pack<M>(left, a);
  pack<M>(right, b);
  return left == right;
}

/// How a constant is told in an error; nothing where that is more than a word.
template <class M>
std::string constant_text(const M& value) {
  if constexpr (std::is_same_v<M, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<M>) {
    char digits[64];
    return {digits, std::to_chars(digits, digits + sizeof digits, static_cast<double>(value)).ptr};
  } else if constexpr (std::is_integral_v<M> && sizeof(M) <= 8) {
    return std::to_string(value);
  } else if constexpr (category_of<M> == category::text) {
    return '"' + std::string(value.data(), value.size()) + '"';
  } else {
    return {};
  }
}

/// Throws `error` (schema_mismatch) where the const member `I` is not the stored value.
template <std::size_t I, class T, class M>
void require_same_constant(const T& target, const M& stored) {
  if (are_stored_alike<M>(child<I>(target), stored)) return;
  throw error({.code = errc::schema_mismatch,
               .tensor = std::string(child_name<T, I>()),
               .problem = "the member is const, and another value is stored",
               .expected = constant_text<M>(child<I>(target)),
               .found = constant_text<M>(stored),
               .advice = "Build the state with the value that was saved, or drop the const, so that it is restored."});
}

/// Calls `fill(M&)` for member `I`; one that is const is filled aside, and compared.
template <std::size_t I, class M, class T, class Fill>
void fill_child(T& target, Fill&& fill) {
  if constexpr (is_const_child<T, I>()) {
    M stored{};
    fill(stored);
    require_same_constant<I>(target, stored);
  } else {
    fill(child<I>(target));
  }
}

/// Whether a value has const members: as a record, or in records and tuples that it is made of.
template <class T>
consteval bool holds_constants() {
  constexpr category is = category_of<T>;
  if constexpr (is != category::record && is != category::tuple) return false;
  else return []<std::size_t... I, class... C>(std::index_sequence<I...>, type_list<C...>) {
    return ((is_const_child<T, I>() || holds_constants<C>()) || ...);
  }(std::make_index_sequence<children_of<T>::size>{}, children_of<T>{});
}

template <class T>
bool have_same_constants(const T& a, const T& b) {
  bool same = true;
  if constexpr (holds_constants<T>()) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      if constexpr (is_const_child<T, I>()) same = same && are_stored_alike<M>(child<I>(a), child<I>(b));
      else same = same && have_same_constants<M>(child<I>(a), child<I>(b));
    });
  }
  return same;
}

}  // namespace tidemark::detail
#endif
