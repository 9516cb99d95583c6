// SPDX-License-Identifier: BSL-1.0
// core/bytes.test.cpp: objects as bytes and sums that refuse to overflow.
#include <tidemark/core/bytes.hpp>

#include <doctest/doctest.h>

#include <rapidjson/encodings.h>
#include <rapidjson/stringbuffer.h>

#include <string>
#include <vector>

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

namespace {

/// Whether RapidJSON takes all of `text` for UTF-8.
bool is_valid_to_rapidjson(const std::string& text) {
  rapidjson::StringStream in(text.c_str());
  rapidjson::StringBuffer out;
  while (in.Tell() < text.size()) {
    if (!rapidjson::UTF8<>::Validate(in, out)) return false;
  }
  return in.Tell() == text.size();
}

}  // namespace

TEST_CASE("UTF-8 is what RapidJSON takes for it: every lead byte before every edge, at every distance from a step's end") {
  const std::vector<int> tails{0x01, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xF4, 0xFF};
  std::size_t valid = 0, wrong = 0;
  for (int lead = 1; lead < 256; ++lead) {
    for (const int second : tails) {
      for (const int third : tails) {
        for (const int fourth : tails) {
          const std::string sequence{static_cast<char>(lead), static_cast<char>(second), static_cast<char>(third), static_cast<char>(fourth)};
          const bool is_valid = is_valid_to_rapidjson(sequence);
          valid += is_valid;
          wrong += (utf8_prefix(sequence) == sequence.size()) != is_valid;
        }
      }
    }
  }
  CHECK(valid > 1000);
  CHECK(wrong == 0);
  for (std::size_t before = 0; before < 70; ++before) {
    for (std::size_t behind = 0; behind < 70; ++behind) {
      const std::string start(before, 'a'), end(behind, 'z');
      for (const std::string whole : {"", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\x8A"}) {
        REQUIRE(utf8_prefix(start + whole + end) == before + whole.size() + behind);
        for (std::size_t cut = 1; cut < whole.size(); ++cut) REQUIRE(utf8_prefix(start + whole.substr(0, cut) + end) == before);
      }
      REQUIRE(utf8_prefix(start + '\xFF' + end) == before);
    }
  }
}
