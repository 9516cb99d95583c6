// SPDX-License-Identifier: BSL-1.0
// archive/decode_columns.test.cpp: columns come back into rows, whatever the rows held before.
#include <tidemark/archive/decode_columns.hpp>

#include <doctest/doctest.h>

#include "held_tensors.hpp"
#include "samples.hpp"

using namespace samples;

namespace {

/// Judged outside the template, since each REQUIRE costs the compiler as much as what it judges.
void judge(const std::string& type, bool is_equal, const held::tensors& again, const held::tensors& written) {
  CAPTURE(type);
  REQUIRE(is_equal);
  REQUIRE(again == written);
}

template <class T>
void round_trips(int rounds) {
  samples::random r{23};
  const std::string type = to_text(tidemark::schema_of<T>());
  std::vector<T> previous;
  for (int round = 0; round < rounds; ++round) {
    std::vector<T> original(r() % 6);
    for (auto& e : original) fill(e, r);
    const auto all = held::encode(original, 16 + r() % 50);
    held::decode(all, previous, 1 + r() % 30);
    judge(type, previous == original, held::encode(previous), all);
    for (auto& e : previous) fill(e, r);
  }
}

/// Every holder in rows, in one more holder.
template <template <class...> class Outer, class Leaf>
void nested() {
  for_each_holder<Leaf>([]<class T>() { round_trips<Outer<T>>(12); });
}
template <class T>
using text_map = std::map<std::string, T>;
template <class T>
using pair_of = std::array<T, 2>;
template <class T>
using either = std::variant<T, tagged<int>>;

held::tensors changed(held::tensors all, const std::string& name, std::vector<std::uint64_t> values) {
  for (auto& t : all) {
    if (t.name == name) {
      t.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * 8);
      t.shape = {values.size()};
    }
  }
  return all;
}

}  // namespace

TEST_CASE("rows of every holder of every leaf round-trip, and of holders in holders") {
  round_trips<std::vector<row>>(12);
  round_trips<std::map<title, std::vector<float>>>(12);
  round_trips<std::map<title, module_>>(12);
  round_trips<std::array<std::vector<empty>, 2>>(12);
  round_trips<std::map<std::optional<std::array<std::optional<std::vector<int>>, 2>>, int>>(12);
  round_trips<std::map<std::string, module_>>(12);
  round_trips<std::optional<std::vector<gauge>>>(12);
  nested<std::vector, std::uint8_t>();
  nested<text_map, std::string>();
  nested<pair_of, std::uint8_t>();
  nested<either, std::string>();
}

TEST_CASE("offsets that step back, leave the payload or do not cover it are refused") {
  const std::vector<std::string> texts{"ab", "", "c"};
  const auto all = held::encode(texts);
  std::vector<std::string> target;
  const auto is_refused = [&](std::vector<std::uint64_t> offsets) {
    try {
      held::decode(changed(all, "#root#offsets", std::move(offsets)), target);
      return false;
    } catch (const tidemark::error& e) {
      CHECK(e.tensor() == "#root#offsets");
      return true;
    }
  };
  CHECK_FALSE(is_refused({0, 2, 2, 3}));
  CHECK_FALSE(is_refused({0, 0, 0, 3}));
  CHECK_FALSE(is_refused({0, 3}));
  for (const auto& wrong : std::vector<std::vector<std::uint64_t>>{
           {}, {3}, {0}, {1, 2, 2, 3}, {0, 2, 1, 3}, {0, 2, 2, 2}, {0, 2, 2, 4}, {0, 4, 2, 3}, {0, UINT64_MAX, 2, 3}, {0, 0, 0, 0}, {3, 3, 3, 3}}) {
    CHECK(is_refused(wrong));
  }
}

TEST_CASE("keys that do not rise are refused: a map has each key once") {
  using map = std::map<std::uint64_t, int>;
  const auto all = held::encode(map{{1, 1}, {2, 2}, {3, 3}});
  map target;
  CHECK_NOTHROW(held::decode(changed(all, "#root#keys", {4, 5, 6}), target));
  for (const auto& wrong : std::vector<std::vector<std::uint64_t>>{{1, 1, 2}, {1, 3, 2}, {3, 2, 1}, {1, 2, 2}}) {
    CHECK_THROWS_AS(held::decode(changed(all, "#root#keys", wrong), target), tidemark::error);
  }
  const auto rows = held::encode(std::vector<map>{{{5, 1}}, {{1, 1}, {2, 2}}});  // each map begins anew
  std::vector<map> many;
  CHECK_NOTHROW(held::decode(rows, many));
  CHECK_THROWS_AS(held::decode(changed(rows, "#root#keys", {5, 2, 2}), many), tidemark::error);
}

TEST_CASE("columns of unequal length are refused") {
  struct pair {
    std::uint64_t a = 1, b = 2;
  };
  const auto all = held::encode(std::vector<pair>(3));
  std::vector<pair> target;
  CHECK_NOTHROW(held::decode(all, target));
  CHECK_THROWS_AS(held::decode(changed(all, "#root.b", {1, 2}), target), tidemark::error);
  CHECK_THROWS_AS(held::decode(changed(all, "#root.a", {1, 2}), target), tidemark::error);
}
