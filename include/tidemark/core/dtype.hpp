// SPDX-License-Identifier: BSL-1.0
// core/dtype.hpp: the element types that a tensor in a file can have, and their C++ counterparts (floor: core).
#ifndef TIDEMARK_CORE_DTYPE_HPP
#define TIDEMARK_CORE_DTYPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tidemark {

/// Element type of a tensor, as safetensors names it.
enum class dtype : std::uint8_t {
  boolean, f4, f6_e2m3, f6_e3m2, u8, i8, f8_e5m2, f8_e4m3, f8_e8m0, f8_e4m3fnuz, f8_e5m2fnuz,
  i16, u16, f16, bf16, i32, u32, f32, c64, f64, i64, u64,
};

namespace detail {

struct dtype_row {
  std::string_view name;
  std::uint8_t bits;
};

inline constexpr std::array<dtype_row, 22> dtype_rows{{
    {"BOOL", 8}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8}, {"I8", 8}, {"F8_E5M2", 8}, {"F8_E4M3", 8},
    {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},
    {"I32", 32}, {"U32", 32}, {"F32", 32}, {"C64", 64}, {"F64", 64}, {"I64", 64}, {"U64", 64},
}};

struct no_dtype {};

template <class T>
consteval auto dtype_of_arithmetic() {
  if constexpr (std::is_same_v<T, bool>) {
    return dtype::boolean;
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return dtype::u8;
  } else if constexpr (std::is_same_v<T, float>) {
    return dtype::f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return dtype::f64;
  } else if constexpr (!std::is_integral_v<T> || std::is_same_v<T, wchar_t>) {
    return no_dtype{};
  } else if constexpr (sizeof(T) > 8) {
    return no_dtype{};
  } else {
    // Plain char is signed on one machine and unsigned on the next: it is stored as U8 everywhere.
    constexpr bool is_signed = std::is_signed_v<T> && !std::is_same_v<T, char>;
    if constexpr (sizeof(T) == 1) return is_signed ? dtype::i8 : dtype::u8;
    else if constexpr (sizeof(T) == 2) return is_signed ? dtype::i16 : dtype::u16;
    else if constexpr (sizeof(T) == 4) return is_signed ? dtype::i32 : dtype::u32;
    else return is_signed ? dtype::i64 : dtype::u64;
  }
}

}  // namespace detail

/// Size of one element in bits; 4 and 6 for the packed formats. Constant time.
constexpr std::size_t bits_of(dtype t) noexcept { return detail::dtype_rows[static_cast<std::size_t>(t)].bits; }

/// Size of one element in bytes, rounded up. Constant time.
constexpr std::size_t size_of(dtype t) noexcept { return (bits_of(t) + 7) / 8; }

/// Name in a file's header, "F32" for `dtype::f32`.
constexpr std::string_view name_of(dtype t) noexcept { return detail::dtype_rows[static_cast<std::size_t>(t)].name; }

/// The dtype that a file's header calls `name`; false where there is none, and `found` is left alone.
constexpr bool find_dtype(std::string_view name, dtype& found) noexcept {
  // A header has one for each tensor: the frequent ones stand last, and their ends tell nearly all.
  for (std::size_t i = detail::dtype_rows.size(); i-- > 0;) {
    const std::string_view row = detail::dtype_rows[i].name;
    if (row.size() == name.size() && row.front() == name.front() && row.back() == name.back() && row == name) {
      found = static_cast<dtype>(i);
      return true;
    }
  }
  return false;
}

/// The dtype that stores `T` bit for bit; `detail::no_dtype` where none does.
template <class T>
inline constexpr auto dtype_of = detail::dtype_of_arithmetic<T>();

}  // namespace tidemark
#endif
