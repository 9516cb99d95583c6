// SPDX-License-Identifier: BSL-1.0
// archive/number.test.cpp: a number converts exactly where the other type has it, for every pair of types at every edge.
#include <tidemark/archive/number.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace tidemark::detail;

namespace {

/// Edges of every type, as far as `T` has them; a long double of 64 bits of mantissa holds each exactly.
template <class T>
std::vector<T> edges() {
  std::vector<T> all;
  const auto add = [&](long double v) {
    for (const long double e : {v - 1, v - 0.5L, v, v + 0.5L, v + 1}) {
      if (!(e >= static_cast<long double>(std::numeric_limits<T>::lowest()) && e <= static_cast<long double>((std::numeric_limits<T>::max)()))) continue;
      const T t = static_cast<T>(e);
      all.push_back(t);
    }
  };
  for (int bits = 0; bits <= 64; ++bits) {
    add(std::ldexp(1.0L, bits));
    add(-std::ldexp(1.0L, bits));
  }
  if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    for (const T special : {T{0}, -T{0}, limits::infinity(), -limits::infinity(), limits::denorm_min(), limits::epsilon(), (limits::max)(), limits::lowest(), T{0.1F}}) all.push_back(special);
  }
  return all;
}

template <class To, class From>
void check_pair() {
  for (const From from : edges<From>()) {
    To to{};
    const bool converts = convert_number<To>(from, to);
    const auto value = static_cast<long double>(from);
    bool has = value >= static_cast<long double>(std::numeric_limits<To>::lowest()) && value <= static_cast<long double>((std::numeric_limits<To>::max)());
    if (std::isinf(value)) has = std::is_floating_point_v<To>;
    else if (has) has = static_cast<long double>(static_cast<To>(value)) == value;
    if (!std::is_floating_point_v<To> && std::signbit(value) && value == 0) has = false;
    CAPTURE(value);
    REQUIRE(converts == has);
    if (has) REQUIRE(static_cast<long double>(to) == value);
  }
}

template <class From>
void check_from() {
  check_pair<std::int8_t, From>();
  check_pair<std::int16_t, From>();
  check_pair<std::int32_t, From>();
  check_pair<std::int64_t, From>();
  check_pair<std::uint8_t, From>();
  check_pair<std::uint16_t, From>();
  check_pair<std::uint32_t, From>();
  check_pair<std::uint64_t, From>();
  check_pair<float, From>();
  check_pair<double, From>();
}

}  // namespace

TEST_CASE("every pair of types agrees with arithmetic that holds both exactly") {
  check_from<std::int8_t>();
  check_from<std::int16_t>();
  check_from<std::int32_t>();
  check_from<std::int64_t>();
  check_from<std::uint8_t>();
  check_from<std::uint16_t>();
  check_from<std::uint32_t>();
  check_from<std::uint64_t>();
  check_from<float>();
  check_from<double>();
}

TEST_CASE("a NaN stays a NaN as a floating number, and is no integer") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  float f = 0;
  std::int32_t i = 0;
  CHECK(convert_number<float>(nan, f));
  CHECK(f != f);
  CHECK_FALSE(convert_number<std::int32_t>(nan, i));
}

TEST_CASE("a bool is 0 and 1") {
  bool b = false;
  for (const int v : {-1, 0, 1, 2}) CHECK(convert_number<bool>(v, b) == (v == 0 || v == 1));
  CHECK_FALSE(convert_number<bool>(-0.0, b));
  double d = 5;
  CHECK(convert_number<double>(true, d));
  CHECK(d == 1);
}

TEST_CASE("bytes are read as the type that wrote them") {
  const auto number = [](const char* code) { return *number_of(tidemark::schema{.kind = tidemark::kind::scalar, .code = code}); };
  const auto minus = static_cast<std::int16_t>(-2);
  std::int64_t wide = 0;
  CHECK(read_number(number("i16"), reinterpret_cast<const std::byte*>(&minus), wide));
  CHECK(wide == -2);
  CHECK(number_text(number("i16"), reinterpret_cast<const std::byte*>(&minus)) == "-2");
  const double half = 0.5;
  CHECK_FALSE(read_number(number("f64"), reinterpret_cast<const std::byte*>(&half), wide));
  CHECK(number_text(number("f64"), reinterpret_cast<const std::byte*>(&half)) == "0.500000");
  const std::uint8_t two = 2;
  CHECK_FALSE(read_number(number("bool"), reinterpret_cast<const std::byte*>(&two), wide));
}
