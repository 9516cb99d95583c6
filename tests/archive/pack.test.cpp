// SPDX-License-Identifier: BSL-1.0
// archive/pack.test.cpp: the bytes of packed values, as docs/format.md spells them.
#include <tidemark/archive/pack.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

using namespace tidemark::detail;

namespace {

template <class T>
std::string hex(const T& value) {
  std::string bytes, text;
  pack(bytes, value);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

struct inner {
  std::uint16_t z = 0x0102;
  bool a = true;
};
struct outer {
  std::string text = "hi";
  inner in;
  std::array<std::int8_t, 2> fixed{-1, 2};
};

}  // namespace

TEST_CASE("numbers are little-endian, counts have eight bytes, members stand in the order of their names") {
  CHECK(hex(std::uint32_t{0x01020304}) == "04030201");
  CHECK(hex(std::string("hi")) == "0200000000000000" "6869");
  CHECK(hex(std::vector<std::uint16_t>{1, 2}) == "0200000000000000" "01000200");
  CHECK(hex(std::optional<bool>{}) == "00");
  CHECK(hex(std::optional<bool>{true}) == "0101");
  CHECK(hex(std::variant<int, std::uint8_t>{std::uint8_t{7}}) == "01000000" "07");
  CHECK(hex(std::map<std::uint8_t, bool>{{3, true}, {4, false}}) == "0200000000000000" "0301" "0400");
  CHECK(hex(std::pair<std::uint8_t, std::uint8_t>{1, 2}) == "0102");
  CHECK(hex(inner{}) == "01" "0201");
  CHECK(hex(outer{}) == "ff02" "01" "0201" "0200000000000000" "6869");
  CHECK(hex(1.0L).substr(0, 20) == "0000000000000080ff3f");
}

TEST_CASE("an unordered container has its buckets and its load factor in front") {
  std::unordered_set<std::uint8_t> s;
  s.max_load_factor(2.0F);
  s.insert(9);
  const std::string text = hex(s);
  CHECK(text.substr(16) == "00000040" "0100000000000000" "09");
}

TEST_CASE("reading never passes the end") {
  packed_bytes in{bytes_of(std::string_view("\1\2\3", 3))};
  CHECK(*in.take(2) == std::byte{1});
  CHECK_THROWS_AS(in.take(2), tidemark::error);
  CHECK_THROWS_AS(in.count(), tidemark::error);
  CHECK(*in.take(1) == std::byte{3});
  CHECK_NOTHROW(in.take(0));
}
