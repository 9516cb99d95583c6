// SPDX-License-Identifier: BSL-1.0
// cereal/tokens.hpp: the codes that stand in a blob before every value, so that what is read is what was written (floor: cereal).
#ifndef TIDEMARK_CEREAL_TOKENS_HPP
#define TIDEMARK_CEREAL_TOKENS_HPP

#include <tidemark/core/bytes.hpp>

#include <bit>
#include <cfloat>
#include <cstdint>
#include <string>
#include <type_traits>

namespace tidemark::detail {

/// First byte of every blob: the format of the rest.
inline constexpr std::byte cereal_blob_version{1};

/// Calls of an archive inside each other, on both sides: a list of shared_ptr takes about five a node. Each costs stack.
inline constexpr std::size_t max_cereal_depth = 4096;

/// What follows in a blob. Part of the format: never renumbered.
enum class cereal_token : std::uint8_t {
  untyped = 0x00,  ///< only as the element of `binary`: bytes of which cereal does not say what they are
  boolean = 0x01,
  character = 0x02,  ///< char, which has no sign of its own
  wide = 0x03,       ///< wchar_t
  char8 = 0x04,
  char16 = 0x05,
  char32 = 0x06,
  i8 = 0x10, i16, i32, i64, i128,
  u8 = 0x20, u16, u32, u64, u128,
  f32 = 0x32, f64 = 0x33,
  f80 = 0x38,    ///< long double of the x87: 10 bytes of 16, the others zero
  f128 = 0x39,   ///< long double with a mantissa of 113 bits
  f64x2 = 0x3A,  ///< long double made of two doubles
  size = 0x40,   ///< number of elements that follow, as a varint
  binary = 0x41, ///< token of the elements, number of bytes as a varint, the bytes
  name = 0x42,   ///< varint: 0 and a new name (varint of its length, its bytes), or n: the n-th name of this blob
};

/// The token of an arithmetic type: by what it is and its width, so that `long` and `long long` are the same where they are equally wide.
template <class T>
constexpr cereal_token token_of() noexcept {
  constexpr auto widths = static_cast<std::uint8_t>(std::countr_zero(sizeof(T)));
  if constexpr (std::is_same_v<T, bool>) return cereal_token::boolean;
  else if constexpr (std::is_same_v<T, char>) return cereal_token::character;
  else if constexpr (std::is_same_v<T, wchar_t>) return cereal_token::wide;
  else if constexpr (std::is_same_v<T, char8_t>) return cereal_token::char8;
  else if constexpr (std::is_same_v<T, char16_t>) return cereal_token::char16;
  else if constexpr (std::is_same_v<T, char32_t>) return cereal_token::char32;
  else if constexpr (std::is_same_v<T, float>) return cereal_token::f32;
  else if constexpr (std::is_same_v<T, double>) return cereal_token::f64;
  else if constexpr (std::is_same_v<T, long double>)
    return LDBL_MANT_DIG == 64 ? cereal_token::f80 : LDBL_MANT_DIG == 113 ? cereal_token::f128 : LDBL_MANT_DIG == 106 ? cereal_token::f64x2 : cereal_token::f64;
  else if constexpr (!std::is_arithmetic_v<T>) return cereal_token::untyped;
  else if constexpr (std::is_signed_v<T>) return static_cast<cereal_token>(static_cast<std::uint8_t>(cereal_token::i8) + widths);
  else return static_cast<cereal_token>(static_cast<std::uint8_t>(cereal_token::u8) + widths);
}

/// For messages.
inline std::string name_of(cereal_token token) {
  switch (token) {
    case cereal_token::untyped: return "bytes";
    case cereal_token::boolean: return "bool";
    case cereal_token::character: return "char";
    case cereal_token::wide: return "wchar_t";
    case cereal_token::char8: return "char8";
    case cereal_token::char16: return "char16";
    case cereal_token::char32: return "char32";
    case cereal_token::i8: return "i8";
    case cereal_token::i16: return "i16";
    case cereal_token::i32: return "i32";
    case cereal_token::i64: return "i64";
    case cereal_token::i128: return "i128";
    case cereal_token::u8: return "u8";
    case cereal_token::u16: return "u16";
    case cereal_token::u32: return "u32";
    case cereal_token::u64: return "u64";
    case cereal_token::u128: return "u128";
    case cereal_token::f32: return "f32";
    case cereal_token::f64: return "f64";
    case cereal_token::f80: return "f80";
    case cereal_token::f128: return "f128";
    case cereal_token::f64x2: return "f64x2";
    case cereal_token::size: return "a size";
    case cereal_token::binary: return "an array";
    case cereal_token::name: return "a name";
  }
  return "token " + std::to_string(static_cast<unsigned>(token));
}

/// Bytes of a `T` that carry its value; an x87 long double has padding behind them, stored as zeros.
template <class T>
inline constexpr std::size_t used_bytes = std::is_same_v<T, long double> && LDBL_MANT_DIG == 64 ? 10 : sizeof(T);

/// Whether `bytes` hold values of `T` only: bools of 0 and 1, padding of zeros. True for all other types.
template <class T>
bool are_values(bytes_view bytes) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    for (const std::byte b : bytes) {
      if (std::to_integer<unsigned>(b) > 1) return false;
    }
  } else if constexpr (used_bytes<T> != sizeof(T)) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i % sizeof(T) >= used_bytes<T> && bytes[i] != std::byte{0}) return false;
    }
  }
  return true;
}

}  // namespace tidemark::detail
#endif
