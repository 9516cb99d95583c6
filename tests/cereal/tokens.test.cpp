// SPDX-License-Identifier: BSL-1.0
// cereal/tokens.test.cpp: every arithmetic type has the code that docs/format.md gives it, and only its values are taken.
#include <tidemark/cereal/tokens.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

using namespace tidemark::detail;

namespace {

template <class T>
constexpr int code = static_cast<int>(token_of<T>());

static_assert(code<bool> == 0x01 && code<char> == 0x02 && code<wchar_t> == 0x03 && code<char8_t> == 0x04 && code<char16_t> == 0x05 && code<char32_t> == 0x06);
static_assert(code<signed char> == 0x10 && code<short> == 0x11 && code<int> == 0x12 && code<std::int64_t> == 0x13);
static_assert(code<unsigned char> == 0x20 && code<unsigned short> == 0x21 && code<unsigned> == 0x22 && code<std::uint64_t> == 0x23);
static_assert(code<long> == (sizeof(long) == 8 ? 0x13 : 0x12) && code<long long> == 0x13);
static_assert(code<unsigned long> == (sizeof(long) == 8 ? 0x23 : 0x22) && code<unsigned long long> == 0x23);
static_assert(code<float> == 0x32 && code<double> == 0x33 && code<long double> != code<float>);
static_assert(code<std::byte> == 0 && code<int*> == 0);

}  // namespace

TEST_CASE("every code has a name of its own, and an unknown one shows its number") {
  int named = 0;
  for (int a = 0; a < 256; ++a) {
    const std::string name = name_of(static_cast<cereal_token>(a));
    named += name != "token " + std::to_string(a);
    for (int b = 0; b < a; ++b) CHECK(name != name_of(static_cast<cereal_token>(b)));
  }
  CHECK(named == 25);
}

TEST_CASE("a bool is 0 or 1, whatever its place in an array") {
  for (std::size_t place = 0; place < 3; ++place) {
    for (int value = 0; value < 256; ++value) {
      std::byte bytes[3]{std::byte{1}, std::byte{0}, std::byte{1}};
      bytes[place] = static_cast<std::byte>(value);
      CHECK(are_values<bool>(bytes) == (value < 2));
      CHECK(are_values<char>(bytes));
    }
  }
}

TEST_CASE("the padding of a long double is zero") {
  std::byte bytes[2 * sizeof(long double)]{};
  CHECK(are_values<long double>(bytes));
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    bytes[i] = std::byte{1};
    CHECK(are_values<long double>(bytes) == (i % sizeof(long double) < used_bytes<long double>));
    bytes[i] = std::byte{0};
  }
}
