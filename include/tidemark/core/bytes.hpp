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
inline std::size_t utf8_sequence(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto is_tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return is_tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    return is_tail(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && is_tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    return is_tail(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && is_tail(2) && is_tail(3) ? 4 : 0;
  }
  return 0;
}

/// How many bytes at the start of `text` are well-formed UTF-8: its size where all are. 32 ASCII bytes a step.
inline std::size_t utf8_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t words[4];
    if (text.size() - at >= sizeof words) {
      std::memcpy(words, text.data() + at, sizeof words);
      if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) == 0) {
        at += sizeof words;
        continue;
      }
    }
    const std::size_t length = utf8_sequence(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

/// a * b, or false in `fits` when that exceeds 64 bits.
constexpr std::uint64_t multiply(std::uint64_t a, std::uint64_t b, bool& fits) noexcept {
  if (b != 0 && a > UINT64_MAX / b) fits = false;
  return a * b;
}

}  // namespace tidemark::detail
#endif
