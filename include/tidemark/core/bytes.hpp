// SPDX-License-Identifier: BSL-1.0
// core/bytes.hpp: views of objects as bytes, little-endian integers in bytes, and sums that refuse to overflow (floor: core).
#ifndef TIDEMARK_CORE_BYTES_HPP
#define TIDEMARK_CORE_BYTES_HPP

#include <tidemark/core/environment.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace tidemark::detail {

using bytes_view = std::span<const std::byte>;
using bytes_span = std::span<std::byte>;

inline bytes_view bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string_view text_of(bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The object representation of a trivially copyable value.
template <class T>
  requires std::is_trivially_copyable_v<T>
bytes_view object_bytes(const T& value) noexcept {
  return {reinterpret_cast<const std::byte*>(&value), sizeof(T)};
}

/// Reads a `T` from unaligned memory. Archives are little-endian, and so is every supported target.
template <class T>
  requires std::is_trivially_copyable_v<T>
T load_as(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Asks for the cache line at `address`, which will be read soon.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none (Unicode 15, table 3-7).
std::size_t utf8_sequence(std::string_view text) noexcept;

/// How many bytes at the start of `text` are well-formed UTF-8: its size where all are. 32 ASCII bytes a step.
std::size_t utf8_prefix(std::string_view text) noexcept;

/// a * b, or false in `fits` when that exceeds 64 bits.
constexpr std::uint64_t multiply(std::uint64_t a, std::uint64_t b, bool& fits) noexcept {
  if (b != 0 && a > UINT64_MAX / b) fits = false;
  return a * b;
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/bytes.ipp>
#endif
#endif
