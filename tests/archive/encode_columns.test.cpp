// SPDX-License-Identifier: BSL-1.0
// archive/encode_columns.test.cpp: rows by column; the number of tensors follows from the type, not from the rows.
#include <tidemark/archive/encode_columns.hpp>

#include <doctest/doctest.h>

#include "held_tensors.hpp"
#include "samples.hpp"

using namespace samples;

namespace {

std::string column(const held::tensors& all, const std::string& name) {
  for (const auto& t : all) {
    if (t.name == name) return t.bytes;
  }
  return "missing";
}

template <class T>
std::string raw(std::vector<T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

TEST_CASE("a sequence of rows is one tensor a leaf") {
  struct state {
    std::vector<row> samples{{1, 0.5, "ab", 3.f, {1, 2, 3}}, {2, 1.5, "", {}, {4, 5, 6}}, {3, 2.5, "c", 4.f, {7, 8, 9}}};
  };
  const auto all = held::encode(state{});
  CHECK(held::listing(all) ==
        "samples.weight F64 [3]\nsamples.name#offsets U64 [4]\nsamples.id U32 [3]\nsamples.best F32 [2]\nsamples.place I16 [3, 3]\nsamples.name U8 [3]\nsamples.best#has BOOL [3]\n");
  CHECK(column(all, "samples.id") == raw<std::uint32_t>({1, 2, 3}));
  CHECK(column(all, "samples.weight") == raw<double>({0.5, 1.5, 2.5}));
  CHECK(column(all, "samples.name") == "abc");
  CHECK(column(all, "samples.name#offsets") == raw<std::uint64_t>({0, 2, 2, 3}));
  CHECK(column(all, "samples.best") == raw<float>({3, 4}));
  CHECK(column(all, "samples.best#has") == std::string("\1\0\1", 3));
  CHECK(column(all, "samples.place") == raw<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_CASE("the number of tensors does not grow with the rows") {
  const auto count = [](auto make) {
    return std::pair{held::encode(make(1)).size(), held::encode(make(1000)).size()};
  };
  const auto check = [&](auto value) {
    const auto [one, many] = count([&](std::size_t n) { return std::vector<decltype(value)>(n, value); });
    CHECK(one == many);
  };
  check(row{});
  check(std::string("x"));
  check(std::vector<int>{1});
  check(std::vector<std::string>{"a"});
  check(std::map<std::string, int>{{"a", 1}});
  check(std::optional<row>{row{}});
  check(std::variant<int, std::string>{1});
  check(std::pair<int, row>{});
  check(std::array<row, 2>{});
  check(gauge{});
}

TEST_CASE("sequences of sequences are values and offsets, at every depth") {
  struct state {
    std::vector<std::vector<int>> ragged{{1}, {}, {2, 3}};
    std::vector<std::vector<std::string>> texts{{"a", "bc"}, {}};
    std::vector<std::vector<std::vector<bool>>> deep{{{true}, {}}, {}};
    std::vector<std::string> tokens{"x", "", "yz"};
  };
  const auto all = held::encode(state{});
  CHECK(column(all, "ragged") == raw<int>({1, 2, 3}));
  CHECK(column(all, "ragged#offsets") == raw<std::uint64_t>({0, 1, 1, 3}));
  CHECK(column(all, "texts#offsets") == raw<std::uint64_t>({0, 2, 2}));
  CHECK(column(all, "texts#item#offsets") == raw<std::uint64_t>({0, 1, 3}));
  CHECK(column(all, "texts#item") == "abc");
  CHECK(column(all, "deep#offsets") == raw<std::uint64_t>({0, 2, 2}));
  CHECK(column(all, "deep#item#offsets") == raw<std::uint64_t>({0, 1, 1}));
  CHECK(column(all, "deep#item") == "\1");
  CHECK(column(all, "tokens") == "xyz");
  CHECK(column(all, "tokens#offsets") == raw<std::uint64_t>({0, 1, 1, 3}));
}

TEST_CASE("variants and maps in rows have a column for each alternative, for the keys and for the values") {
  struct state {
    std::vector<std::variant<int, std::string>> choices{1, std::string("q"), 2};
    std::vector<std::map<std::string, double>> maps{{{"k", 1.}}, {}, {{"a", 2.}, {"b", 3.}}};
  };
  const auto all = held::encode(state{});
  CHECK(column(all, "choices#index") == raw<std::uint32_t>({0, 1, 0}));
  CHECK(column(all, "choices#0") == raw<int>({1, 2}));
  CHECK(column(all, "choices#1") == "q");
  CHECK(column(all, "maps#offsets") == raw<std::uint64_t>({0, 1, 1, 3}));
  CHECK(column(all, "maps#keys") == "kab");
  CHECK(column(all, "maps") == raw<double>({1, 2, 3}));
}

TEST_CASE("fixed arrays in rows keep their extents") {
  struct state {
    std::vector<std::array<row, 2>> pairs = std::vector<std::array<row, 2>>(3);
  };
  const auto all = held::encode(state{});
  for (const auto& t : all) {
    if (t.name == "pairs.id") CHECK(t.shape == std::vector<std::uint64_t>{3, 2});
    if (t.name == "pairs.place") CHECK(t.shape == std::vector<std::uint64_t>{3, 2, 3});
    if (t.name == "pairs.name#offsets") CHECK(t.shape == std::vector<std::uint64_t>{7});
  }
}

TEST_CASE("the bytes of a column do not depend on the size of the buffer that they pass through") {
  std::vector<row> rows(50);
  samples::random r{9};
  for (auto& e : rows) fill(e, r);
  const auto all = held::encode(rows, 4096);
  for (std::size_t size = 16; size < 80; ++size) REQUIRE(held::encode(rows, size) == all);
}
