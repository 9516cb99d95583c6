// SPDX-License-Identifier: BSL-1.0
// core/float_bits.hpp: whether a floating value is a number, told by its bits (floor: core).
#ifndef TIDEMARK_CORE_FLOAT_BITS_HPP
#define TIDEMARK_CORE_FLOAT_BITS_HPP

#include <bit>
#include <concepts>
#include <cstdint>

namespace tidemark::detail {

/// By its bits where they are known, since -ffast-math, which trainers use, lets a compiler assume that no value is a NaN.
template <std::floating_point T>
constexpr bool is_nan(T value) noexcept {
  if constexpr (std::same_as<T, float>) return (std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu) > 0x7F800000u;
  else if constexpr (std::same_as<T, double>) return (std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)) > 0x7FF0000000000000u;
  else return value != value;
}

template <std::floating_point T>
constexpr bool is_finite(T value) noexcept {
  if constexpr (std::same_as<T, float>) return (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) != 0x7F800000u;
  else if constexpr (std::same_as<T, double>) return (std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
  else return value - value == 0;
}

}  // namespace tidemark::detail
#endif
