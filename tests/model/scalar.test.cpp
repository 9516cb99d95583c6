// SPDX-License-Identifier: BSL-1.0
// model/scalar.test.cpp: every scalar keeps every bit, and says what it is.
#include <tidemark/model/scalar.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace tidemark::detail;

namespace {

enum class small : std::uint8_t { a, b };
enum plain : int { x, y };
struct half {
  std::uint16_t bits;
};

template <class T>
std::vector<std::byte> encoded(const T& value) {
  std::vector<std::byte> bytes(scalar_traits<T>::file_bytes, std::byte{0xAA});
  scalar_traits<T>::encode(value, bytes.data());
  return bytes;
}

template <class T>
void round_trip(const T& value, T other = T{}) {
  REQUIRE(scalar_traits<T>::decode(encoded(value).data(), other));
  REQUIRE(encoded(value) == encoded(other));
}

}  // namespace

template <>
inline constexpr auto tidemark::dtype_of<half> = tidemark::dtype::f16;

static_assert(Scalar<bool> && Scalar<char> && Scalar<long double> && Scalar<small> && Scalar<half>);
static_assert(Scalar<std::chrono::milliseconds> && Scalar<std::chrono::duration<double>> && Scalar<std::chrono::system_clock::time_point>);
static_assert(!Scalar<wchar_t> && !Scalar<std::chrono::steady_clock::time_point> && !Scalar<int*> && !Scalar<std::string> && !Scalar<std::nullptr_t>);
static_assert(scalar_traits<float>::is_direct && !scalar_traits<float>::is_checked && scalar_traits<bool>::is_checked);

TEST_CASE("the codes are those of docs/format.md") {
  CHECK(scalar_traits<bool>::code() == "bool");
  CHECK(scalar_traits<char>::code() == "char");
  CHECK(scalar_traits<char8_t>::code() == "char8");
  CHECK(scalar_traits<char16_t>::code() == "char16");
  CHECK(scalar_traits<char32_t>::code() == "char32");
  CHECK(scalar_traits<signed char>::code() == "i8");
  CHECK(scalar_traits<unsigned short>::code() == "u16");
  CHECK(scalar_traits<long long>::code() == "i64");
  CHECK(scalar_traits<float>::code() == "f32");
  CHECK(scalar_traits<half>::code() == "f16");
  CHECK(scalar_traits<small>::code() == "enum:u8");
  CHECK(scalar_traits<plain>::code() == "enum:i32");
  CHECK(scalar_traits<std::chrono::duration<int, std::milli>>::code() == "duration:i32:1/1000");
  CHECK(scalar_traits<std::chrono::duration<double>>::code() == "duration:f64:1/1");
  CHECK(scalar_traits<std::chrono::sys_seconds>::code().starts_with("system_time:i"));
}

TEST_CASE("every value of 16 bits and below comes back") {
  for (int i = -32768; i <= 65535; ++i) {
    round_trip(static_cast<std::int8_t>(i));
    round_trip(static_cast<std::uint16_t>(i));
    round_trip(static_cast<std::int16_t>(i));
    round_trip(static_cast<char16_t>(i));
    round_trip(half{static_cast<std::uint16_t>(i)});
    round_trip(static_cast<small>(static_cast<std::uint8_t>(i)));
  }
}

TEST_CASE("floating-point numbers keep every bit: NaN payloads, signed zeros, denormals") {
  for (std::uint64_t i = 0; i < 64; ++i) {
    for (const std::uint64_t pattern : {std::uint64_t{1} << i, ~(std::uint64_t{1} << i), 0x7ff0000000000000u | std::uint64_t{1} << i, 0xfff8000000000000u ^ std::uint64_t{1} << i}) {
      double d;
      std::memcpy(&d, &pattern, 8);
      round_trip(d);
      float f;
      std::memcpy(&f, &pattern, 4);
      round_trip(f);
    }
  }
  for (const long double value : {0.0L, -0.0L, 1.5L, std::numeric_limits<long double>::denorm_min(), std::numeric_limits<long double>::max(),
                                  std::numeric_limits<long double>::infinity(), std::numeric_limits<long double>::epsilon()}) {
    round_trip(value, 7.0L);
  }
  round_trip(std::numeric_limits<long double>::quiet_NaN());
}

TEST_CASE("the padding of a long double is written as zeros and required to be") {
  if constexpr (!scalar_traits<long double>::is_direct) {
    for (const int fill : {0x00, 0xAA, 0x55, 0xFF}) {
      long double dirty;
      std::memset(static_cast<void*>(&dirty), fill, sizeof dirty);
      std::memcpy(&dirty, encoded(1.5L).data(), 10);
      CHECK(encoded(dirty) == encoded(1.5L));
    }
    for (std::size_t i = 10; i < sizeof(long double); ++i) {
      auto bytes = encoded(1.5L);
      bytes[i] = std::byte{1};
      long double value = 3;
      CHECK_FALSE(scalar_traits<long double>::decode(bytes.data(), value));
      CHECK(value == 3);
    }
  }
}

TEST_CASE("a bool is 0 or 1, and no other byte is read as one") {
  for (unsigned raw = 0; raw < 256; ++raw) {
    const auto byte = static_cast<std::byte>(raw);
    for (bool before : {false, true}) {
      bool value = before;
      REQUIRE(scalar_traits<bool>::decode(&byte, value) == (raw < 2));
      REQUIRE(value == (raw < 2 ? raw == 1 : before));
    }
  }
}

TEST_CASE("durations and calendar times are their counts") {
  using std::chrono::milliseconds;
  round_trip(milliseconds{-1234567890123}, milliseconds{0});
  round_trip(std::chrono::system_clock::now(), std::chrono::system_clock::time_point{});
  CHECK(encoded(milliseconds{5}) == encoded(milliseconds::rep{5}));
}

namespace {

template <class Rep, class Period>
void judge_time() {
  using duration = std::chrono::duration<Rep, Period>;
  using time = std::chrono::sys_time<duration>;
  static_assert(Scalar<duration> && Scalar<time> && !Scalar<std::chrono::time_point<std::chrono::steady_clock, duration>>);
  round_trip(duration{static_cast<Rep>(-77)}, duration{0});
  round_trip(time{duration{static_cast<Rep>(-77)}}, time{});
  CHECK(scalar_traits<time>::code() == "system_time:" + scalar_traits<Rep>::code() + ':' + std::to_string(Period::num) + '/' + std::to_string(Period::den));
}

template <class Rep>
void judge_times_of() {
  judge_time<Rep, std::pico>();
  judge_time<Rep, std::nano>();
  judge_time<Rep, std::micro>();
  judge_time<Rep, std::ratio<1, 60>>();
  judge_time<Rep, std::ratio<1>>();
  judge_time<Rep, std::ratio<86400>>();
}

}  // namespace

TEST_CASE("a calendar time is state at every resolution, also where the library's clock has a coarser one") {
  judge_times_of<std::int32_t>();
  judge_times_of<std::int64_t>();
  judge_times_of<float>();
  judge_times_of<double>();
}

namespace {
enum class stage : std::uint8_t { first = 2, last = 5 };
}  // namespace
template <>
inline constexpr tidemark::enumerators<stage> tidemark::enum_range<stage>{stage::first, stage::last};

TEST_CASE("an enum with a declared range has no value outside it, neither on the way in nor out") {
  for (int raw = 0; raw < 256; ++raw) {
    const auto value = static_cast<stage>(raw);
    const bool is_declared = raw >= 2 && raw <= 5;
    std::byte byte{};
    if (is_declared) CHECK_NOTHROW(tidemark::detail::scalar_traits<stage>::encode(value, &byte));
    else CHECK_THROWS_AS(tidemark::detail::scalar_traits<stage>::encode(value, &byte), tidemark::error);
    byte = static_cast<std::byte>(raw);
    stage read = stage::first;
    CHECK(tidemark::detail::scalar_traits<stage>::decode(&byte, read) == is_declared);
    CHECK(read == (is_declared ? value : stage::first));
  }
}
