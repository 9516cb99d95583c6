// SPDX-License-Identifier: BSL-1.0
// archive/number.hpp: stored numbers as numbers of another type, where every value survives (floor: archive).
#ifndef TIDEMARK_ARCHIVE_NUMBER_HPP
#define TIDEMARK_ARCHIVE_NUMBER_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/model/evolve_plan.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace tidemark::detail {

template <class Number>
constexpr bool is_negative(Number value) noexcept {
  if constexpr (std::is_signed_v<Number>) return value < Number{};
  else return false;
}

/// Also of a zero or a NaN.
template <class Floating>
constexpr bool has_sign(Floating value) noexcept {
  using bits = std::conditional_t<sizeof(Floating) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<bits>(value) >> (sizeof(bits) * 8 - 1) != 0;
}

/// `from` as a `To`; false where that is another number: out of range, with digits that `To` lacks, a negative zero as an integer.
/// A NaN stays a NaN, its payload as far as `To` has room.
template <class To, class From>
bool convert_number(From from, To& to) noexcept {
  if constexpr (std::is_same_v<To, bool>) {
    to = from != From{};
    if constexpr (std::is_floating_point_v<From>) return (from == From{0} && !has_sign(from)) || from == From{1};
    else return from == From{0} || from == From{1};
  } else if constexpr (std::is_same_v<From, bool>) {
    to = static_cast<To>(from ? 1 : 0);
    return true;
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    to = static_cast<To>(from);
    return static_cast<From>(to) == from && is_negative(from) == is_negative(to);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Both limits are powers of two, or one below: exact as floating numbers.
    constexpr From above = 2 * static_cast<From>((std::numeric_limits<To>::max)() / 2 + 1);
    if (!(from >= (std::is_signed_v<To> ? -above : From{0}) && from < above) || has_sign(from) != (from < From{0})) return false;
    to = static_cast<To>(from);
    return static_cast<From>(to) == from;
  } else if constexpr (std::is_integral_v<From>) {
    to = static_cast<To>(from);
    From back{};
    return convert_number<From>(to, back) && back == from;
  } else {
    to = static_cast<To>(from);
    return from != from ? to != to : static_cast<From>(to) == from;
  }
}

/// The number of type `is` at `from` as a `To`. The type is one of `number_of`.
template <class To>
bool read_number(const number_type& is, const std::byte* from, To& to) noexcept {
  using enum number_type::family;
  const auto as = [&]<class From>(std::type_identity<From>) { return convert_number<To>(load_as<From>(from), to); };
  switch (is.is) {
    case boolean: return convert_number<To>(std::to_integer<int>(*from) != 0, to) && std::to_integer<unsigned>(*from) <= 1;
    case floating: return is.bytes == 4 ? as(std::type_identity<float>{}) : as(std::type_identity<double>{});
    case signed_integer:
      return is.bytes == 1 ? as(std::type_identity<std::int8_t>{}) : is.bytes == 2 ? as(std::type_identity<std::int16_t>{}) : is.bytes == 4 ? as(std::type_identity<std::int32_t>{}) : as(std::type_identity<std::int64_t>{});
    default:
      return is.bytes == 1 ? as(std::type_identity<std::uint8_t>{}) : is.bytes == 2 ? as(std::type_identity<std::uint16_t>{}) : is.bytes == 4 ? as(std::type_identity<std::uint32_t>{}) : as(std::type_identity<std::uint64_t>{});
  }
}

/// A stored number as it is written for people.
std::string number_text(const number_type& is, const std::byte* from);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/number.ipp>
#endif
#endif
