// SPDX-License-Identifier: BSL-1.0
// archive/names.test.cpp: names of tensors never collide and are always text.
#include <tidemark/archive/names.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "samples.hpp"

using namespace tidemark;
using namespace tidemark::detail;

TEST_CASE("steps are added with dots, sides with #, and taken back") {
  walk_name name(true);
  CHECK(name.text() == "");
  {
    const auto a = name.member("layers");
    const auto b = name.element(12);
    const auto c = name.member("weight");
    CHECK(name.text() == "layers.12.weight");
    {
      const auto d = name.side("offsets");
      CHECK(name.text() == "layers.12.weight#offsets");
    }
    {
      const auto d = name.payload(false);
      CHECK(name.text() == "layers.12.weight");
    }
    const auto d = name.payload(true);
    CHECK(name.text() == "layers.12.weight#item");
  }
  CHECK(name.text() == "");
  walk_name root(false);
  CHECK(root.text() == "#root");
  const auto e = root.element(UINT64_MAX);
  CHECK(root.text() == "#root.18446744073709551615");
}

TEST_CASE("a member of the name that the container keeps for itself is escaped") {
  walk_name name(true);
  {
    const auto a = name.member("__metadata__");
    CHECK(name.text() == "%5F_metadata__");
  }
  const auto a = name.member("a");
  const auto b = name.member("__metadata__");
  CHECK(name.text() == "a.__metadata__");
}

TEST_CASE("keys are escaped one to one, into UTF-8 without control characters") {
  CHECK(escaped_key("layer1.0.weight", true) == "layer1.0.weight");
  CHECK(escaped_key("layer1.0", false) == "layer1%2E0");
  CHECK(escaped_key(std::string_view("a#b%c\n\0\x7f", 8), true) == "a%23b%25c%0A%00%7F");
  CHECK(escaped_key("\xc3\xa9\xf0\x9f\x8c\x8a", true) == "\xc3\xa9\xf0\x9f\x8c\x8a");
  CHECK(escaped_key("\xff\xc3", true) == "%FF%C3");
  std::map<std::string, std::string> seen;
  std::mt19937 random{1};
  constexpr std::string_view letters("ab.#%2E0\n\xc3\xa9\xff", 12);
  for (int round = 0; round < 100000; ++round) {
    std::string key;
    for (std::size_t n = random() % 8; n-- > 0;) key += letters[random() % letters.size()];
    for (const bool keep : {false, true}) {
      const std::string escaped = escaped_key(key, keep);
      const auto [at, is_new] = seen.emplace((keep ? "k" : "e") + escaped, key);
      REQUIRE(at->second == key);
      REQUIRE(escaped.find('#') == std::string::npos);
      for (std::string_view left = escaped; !left.empty();) {
        const std::size_t length = utf8_sequence(left);
        REQUIRE(length != 0);
        left.remove_prefix(length);
      }
    }
  }
}

TEST_CASE("UTF-8 is told from what is none exactly as Unicode says") {
  // Every code point, encoded by the definition, is one sequence; surrogates and values above 10FFFF are none.
  const auto encode = [](std::uint32_t c) {
    std::string s;
    const auto tail = [&](unsigned shift) { s += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) s += static_cast<char>(c);
    else if (c < 0x800) s += static_cast<char>(0xc0 | c >> 6), tail(0);
    else if (c < 0x10000) s += static_cast<char>(0xe0 | c >> 12), tail(6), tail(0);
    else s += static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0);
    return s;
  };
  for (std::uint32_t c = 0; c < 0x120000; ++c) {
    const std::string s = encode(c);
    const bool is_valid = c < 0xd800 || (c > 0xdfff && c < 0x110000);
    REQUIRE(utf8_sequence(s) == (is_valid ? s.size() : 0));
    if (is_valid && s.size() > 1) REQUIRE(utf8_sequence(std::string_view(s).substr(0, s.size() - 1)) == 0);
  }
  for (const std::string_view overlong : {"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\x80", "\xbf", "\xf8\x88\x80\x80\x80"}) {
    CHECK(utf8_sequence(overlong) == 0);
  }
  CHECK(utf8_sequence("") == 0);
}

namespace {

struct linear {
  std::vector<float> weight, bias;
};
struct block {
  linear attention, mlp;
};
struct clash {
  std::vector<float> weight;
  linear inner;
};
struct listed {
  std::vector<linear> layers;
};

}  // namespace

TEST_CASE("dots in keys stay where no two keys can give one name, and are escaped elsewhere") {
  CHECK(keeps_dots_of<std::vector<float>>());
  CHECK(keeps_dots_of<linear>());
  CHECK(keeps_dots_of<block>());
  CHECK_FALSE(keeps_dots_of<clash>());  // "a" + ".inner.weight" is "a.inner" + ".weight"
  CHECK_FALSE(keeps_dots_of<listed>());
  CHECK_FALSE(keeps_dots_of<samples::record<std::map<std::string, std::vector<float>>>>());
}
