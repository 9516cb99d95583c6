// SPDX-License-Identifier: BSL-1.0
// rng/checks.hpp: how restored parameters and words are judged and refused (floor: rng).
#ifndef TIDEMARK_RNG_CHECKS_HPP
#define TIDEMARK_RNG_CHECKS_HPP

#include <tidemark/core/error.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tidemark::detail {

/// Throws `error` (`invalid_value`): `field` of a `name` is not what it must be.
[[noreturn]] void refuse_random_state(std::string_view name, std::string field, std::string problem, std::string expected,
                                      std::string found);

/// By its bits where they are known, since -ffast-math lets a compiler assume that no value is a NaN.
template <std::floating_point T>
bool is_nan(T value) noexcept {
  if constexpr (std::same_as<T, float>) return (std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu) > 0x7F800000u;
  else if constexpr (std::same_as<T, double>) return (std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)) > 0x7FF0000000000000u;
  else return value != value;
}

template <std::floating_point T>
bool is_finite(T value) noexcept {
  if constexpr (std::same_as<T, float>) return (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) != 0x7F800000u;
  else if constexpr (std::same_as<T, double>) return (std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
  else return value - value == 0;
}

/// A number as messages and the text operators of <random> take it: exact, and the same under every global locale.
template <class T>
std::string number_text(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(std::numeric_limits<T>::max_digits10);
    text << value;
    return text.str();
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/rng/checks.ipp>
#endif
#endif
