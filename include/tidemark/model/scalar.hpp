// SPDX-License-Identifier: BSL-1.0
// model/scalar.hpp: the types that are one element of a tensor, how they lie in a file and how the schema calls them (floor: model).
#ifndef TIDEMARK_MODEL_SCALAR_HPP
#define TIDEMARK_MODEL_SCALAR_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/dtype.hpp>
#include <tidemark/core/error.hpp>

#include <cfloat>
#include <concepts>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

namespace tidemark {

/// The enumerators that a stored value may be: from `first` to `last`. Declare it and a load refuses every other value:
/// `template <> inline constexpr tidemark::enumerators<mode> tidemark::enum_range<mode>{mode::train, mode::test};`
template <class E>
struct enumerators {
  E first, last;
};

/// Nothing: the enumerators of `E` are not checked, as C++ itself does not.
template <class E>
inline constexpr int enum_range = 0;

namespace detail {

template <class E>
inline constexpr bool has_enum_range = !std::is_same_v<std::remove_cv_t<decltype(enum_range<E>)>, int>;

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
template <class T>
concept WideInteger = std::is_same_v<T, int128> || std::is_same_v<T, uint128>;
#else
struct int128;
template <class T>
concept WideInteger = false;
#endif

template <class T>
inline constexpr bool has_dtype = !std::is_same_v<std::remove_cv_t<decltype(dtype_of<T>)>, no_dtype>;

// chrono is recognised by its structure, so that this header does not bring <chrono> to every user.
template <class T>
concept DurationLike = std::is_class_v<T> && requires(const T& d) {
  typename T::rep;
  T::period::num;
  T::period::den;
  { d.count() } -> std::same_as<typename T::rep>;
};

template <class T>
concept TimePointLike = std::is_class_v<T> && requires(const T& t) {
  typename T::clock;
  { t.time_since_epoch() } -> DurationLike;
};

template <class T>
concept ComplexLike = std::is_class_v<T> && std::is_floating_point_v<typename T::value_type> && requires(const T& z) {
  { z.real() } -> std::convertible_to<typename T::value_type>;
  { z.imag() } -> std::convertible_to<typename T::value_type>;
};

template <class T>
concept AtomicLike = std::is_class_v<T> && !std::is_copy_constructible_v<T> && requires(T& a, const T& constant, typename T::value_type value) {
  { constant.load() } -> std::same_as<typename T::value_type>;
  a.store(value);
};

/// The calendar clock: the only one of the standard's whose time points mean something in another process. At any resolution, also those
/// that its own, of which libraries have different ones, does not hold.
template <class T>
concept CalendarTimePoint = TimePointLike<T> && !T::clock::is_steady && requires { T::clock::to_time_t(typename T::clock::time_point{}); };

template <class T>
struct scalar_traits {
  static constexpr bool is_scalar = false;
};

template <class T>
concept Scalar = scalar_traits<T>::is_scalar;

/// Numbers that a dtype holds bit for bit: memory and file are the same bytes.
template <class T>
  requires(has_dtype<T> && std::is_trivially_copyable_v<T>)
struct scalar_traits<T> {
  static constexpr bool is_scalar = true;
  static constexpr dtype type = dtype_of<T>;
  static constexpr std::size_t file_bytes = sizeof(T);
  static constexpr std::size_t trailing = 0;         ///< extent of a last dimension that the element itself takes; 0 for none
  static constexpr bool is_direct = true;            ///< the bytes in memory are the bytes in the file
  static constexpr bool is_checked = std::is_same_v<T, bool>;  ///< not every bit pattern is a value
  static_assert(sizeof(T) * 8 == bits_of(type), "tidemark: dtype_of<T> must name a dtype of the size of T");

  static std::string code() {
    if constexpr (std::is_same_v<T, char>) return "char";
    else if constexpr (std::is_same_v<T, std::byte>) return "byte";
    else if constexpr (std::is_same_v<T, char8_t>) return "char8";
    else if constexpr (std::is_same_v<T, char16_t>) return "char16";
    else if constexpr (std::is_same_v<T, char32_t>) return "char32";
    else {
      std::string text{name_of(type)};
      for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      return text;
    }
  }
  static void encode(const T& value, std::byte* to) noexcept { std::memcpy(to, std::addressof(value), sizeof(T)); }
  /// False where the bytes are no value of the type; `value` is then left alone.
  static bool decode(const std::byte* from, T& value) noexcept {
    if constexpr (is_checked) {
      const auto raw = std::to_integer<unsigned>(*from);
      if (raw > 1) return false;
      value = raw == 1;
    } else {
      std::memcpy(std::addressof(value), from, sizeof(T));
    }
    return true;
  }
};

/// long double: U8 with a last dimension of its size, x87's of 16, padding zeroed, its format in the code.
template <>
struct scalar_traits<long double> {
  static constexpr bool is_scalar = true;
  static constexpr dtype type = dtype::u8;
  static constexpr std::size_t used = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);  // x87: 80 bits and padding
  static constexpr std::size_t file_bytes = used == 10 ? 16 : sizeof(long double);     // of it 12 in the memory of 32-bit systems
  static constexpr std::size_t trailing = file_bytes;
  static constexpr bool is_direct = used == sizeof(long double);
  static constexpr bool is_checked = !is_direct;

  static std::string code() { return LDBL_MANT_DIG == 64 ? "f80" : LDBL_MANT_DIG == 113 ? "f128" : LDBL_MANT_DIG == 106 ? "f64x2" : "f64l"; }
  static void encode(const long double& value, std::byte* to) noexcept {
    std::memset(to, 0, file_bytes);
    std::memcpy(to, &value, used);
  }
  static bool decode(const std::byte* from, long double& value) noexcept {
    for (std::size_t i = used; i < file_bytes; ++i) {
      if (from[i] != std::byte{0}) return false;
    }
    std::memcpy(&value, from, used);
    return true;
  }
};

/// 128-bit integers, which no dtype holds: U8 with a last dimension of 16, the least significant byte first.
template <WideInteger T>
struct scalar_traits<T> {
  static constexpr bool is_scalar = true;
  static constexpr dtype type = dtype::u8;
  static constexpr std::size_t file_bytes = sizeof(T);
  static constexpr std::size_t trailing = sizeof(T);
  static constexpr bool is_direct = true;
  static constexpr bool is_checked = false;

  static std::string code() { return std::is_same_v<T, int128> ? "i128" : "u128"; }
  static void encode(const T& value, std::byte* to) noexcept { std::memcpy(to, std::addressof(value), sizeof(T)); }
  static bool decode(const std::byte* from, T& value) noexcept {
    std::memcpy(std::addressof(value), from, sizeof(T));
    return true;
  }
};

/// A complex number: two floats are one C64; wider ones are their parts, with a last dimension of 2 (of U8: of both parts' bytes).
template <ComplexLike T>
  requires(!has_dtype<T> && Scalar<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type))
struct scalar_traits<T> {
  using part = scalar_traits<typename T::value_type>;
  static constexpr bool is_scalar = true;
  static constexpr bool is_c64 = std::is_same_v<typename T::value_type, float>;
  static constexpr dtype type = is_c64 ? dtype::c64 : part::type;
  static constexpr std::size_t file_bytes = 2 * part::file_bytes;
  static constexpr std::size_t trailing = is_c64 ? 0 : part::trailing == 0 ? 2 : file_bytes;
  static constexpr bool is_direct = part::is_direct;
  static constexpr bool is_checked = part::is_checked;

  static std::string code() { return "complex:" + part::code(); }
  static void encode(const T& value, std::byte* to) noexcept {
    part::encode(value.real(), to);
    part::encode(value.imag(), to + part::file_bytes);
  }
  static bool decode(const std::byte* from, T& value) noexcept {
    typename T::value_type real{}, imag{};
    if (!part::decode(from, real) || !part::decode(from + part::file_bytes, imag)) return false;
    std::memcpy(static_cast<void*>(std::addressof(value)), &real, sizeof real);  // a constructor or a setter could touch the bits of a NaN
    std::memcpy(reinterpret_cast<std::byte*>(std::addressof(value)) + sizeof real, &imag, sizeof imag);
    return true;
  }
};

/// An atomic of a scalar: its value at the moment of the save.
template <AtomicLike T>
  requires(!has_dtype<T> && Scalar<typename T::value_type>)
struct scalar_traits<T> : scalar_traits<typename T::value_type> {
  using inner = scalar_traits<typename T::value_type>;
  static constexpr bool is_direct = false;
  static void encode(const T& value, std::byte* to) { inner::encode(value.load(), to); }
  static bool decode(const std::byte* from, T& value) noexcept {
    typename T::value_type loaded{};
    if (!inner::decode(from, loaded)) return false;
    value.store(loaded);
    return true;
  }
};

/// A scalar that is another one inside: an enum or a duration.
template <class T, class Inner>
struct wrapped_scalar : scalar_traits<Inner> {
  static_assert(sizeof(T) == sizeof(Inner) && std::is_trivially_copyable_v<T>);
  static void encode(const T& value, std::byte* to) noexcept {
    Inner inner;
    std::memcpy(&inner, std::addressof(value), sizeof(Inner));
    scalar_traits<Inner>::encode(inner, to);
  }
  static bool decode(const std::byte* from, T& value) noexcept {
    Inner inner;
    if (!scalar_traits<Inner>::decode(from, inner)) return false;
    std::memcpy(static_cast<void*>(std::addressof(value)), &inner, sizeof(Inner));
    return true;
  }
};

template <class T>
  requires(std::is_enum_v<T> && !has_dtype<T> && Scalar<std::underlying_type_t<T>>)
struct scalar_traits<T> : wrapped_scalar<T, std::underlying_type_t<T>> {
  using number = std::underlying_type_t<T>;
  static constexpr bool is_checked = has_enum_range<T> || scalar_traits<number>::is_checked;
  static constexpr bool is_direct = !has_enum_range<T> && scalar_traits<number>::is_direct;  // each value is checked on its way out too

  static std::string code() { return "enum:" + scalar_traits<number>::code(); }
  static bool decode(const std::byte* from, T& value) noexcept {
    T read{};
    if (!wrapped_scalar<T, number>::decode(from, read) || !is_declared(read)) return false;
    value = read;
    return true;
  }
  /// Throws `error` (invalid_value) for what a load would refuse.
  static void encode(const T& value, std::byte* to) {
    if (!is_declared(value)) {
      throw error({.code = errc::invalid_value, .problem = "an enum has the value " + std::to_string(static_cast<number>(value)) + ", which is outside its declared range",
                   .expected = std::to_string(static_cast<number>(enum_first())) + " to " + std::to_string(static_cast<number>(enum_last()))});
    }
    wrapped_scalar<T, number>::encode(value, to);
  }

 private:
  static constexpr T enum_first() {
    if constexpr (has_enum_range<T>) return enum_range<T>.first;
    else return T{};
  }
  static constexpr T enum_last() {
    if constexpr (has_enum_range<T>) return enum_range<T>.last;
    else return T{};
  }
  static constexpr bool is_between(number value, number first, number last) noexcept { return first <= value && value <= last; }
  static constexpr bool is_declared(const T& value) noexcept {
    if constexpr (has_enum_range<T>) return is_between(static_cast<number>(value), static_cast<number>(enum_first()), static_cast<number>(enum_last()));
    else return true;
  }
};

template <class T>
  requires(DurationLike<T> && !has_dtype<T> && Scalar<typename T::rep> && sizeof(T) == sizeof(typename T::rep))
struct scalar_traits<T> : wrapped_scalar<T, typename T::rep> {
  static std::string code() {
    return "duration:" + scalar_traits<typename T::rep>::code() + ':' + std::to_string(T::period::num) + '/' +
           std::to_string(T::period::den);
  }
};

template <class T>
  requires(CalendarTimePoint<T> && !has_dtype<T> && Scalar<typename T::duration> && sizeof(T) == sizeof(typename T::rep))
struct scalar_traits<T> : wrapped_scalar<T, typename T::rep> {
  static std::string code() { return "system_time:" + scalar_traits<typename T::duration>::code().substr(9); }
};

}  // namespace detail
}  // namespace tidemark
#endif
