// SPDX-License-Identifier: BSL-1.0
// core/bytes.test.cpp: objects as bytes and sums that refuse to overflow.
#include <tidemark/core/bytes.hpp>

#include <doctest/doctest.h>

using namespace tidemark::detail;

TEST_CASE("numbers are read little-endian from any address") {
  const unsigned char raw[] = {0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
  const auto* bytes = reinterpret_cast<const std::byte*>(raw);
  CHECK(load_as<std::uint64_t>(bytes + 1) == 0x0807060504030201u);
  CHECK(load_as<std::uint16_t>(bytes) == 0x01ff);
}

TEST_CASE("a product beyond 64 bits is noticed, at every power of two") {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      bool fits = true;
      const auto product = multiply(std::uint64_t{1} << a, std::uint64_t{1} << b, fits);
      REQUIRE(fits == (a + b < 64));
      if (fits) REQUIRE(product == std::uint64_t{1} << (a + b));
    }
  }
  bool fits = true;
  CHECK(multiply(UINT64_MAX, 1, fits) == UINT64_MAX);
  CHECK(multiply(0, UINT64_MAX, fits) == 0);
  CHECK(multiply(UINT64_MAX, 0, fits) == 0);
  CHECK(fits);
  multiply(UINT64_MAX / 2 + 1, 2, fits);
  CHECK_FALSE(fits);
}

TEST_CASE("texts and objects are viewed without a copy") {
  const std::string_view text = "abc";
  CHECK(bytes_of(text).data() == static_cast<const void*>(text.data()));
  CHECK(text_of(bytes_of(text)) == text);
  const double value = 1.5;
  CHECK(object_bytes(value).size() == 8);
  CHECK(load_as<double>(object_bytes(value).data()) == 1.5);
}
