// SPDX-License-Identifier: BSL-1.0
// archive/buckets.test.cpp: buckets in proportion cost nothing of what is shared, those above are taken from it until it is used up.
#include <tidemark/archive/buckets.hpp>

#include <doctest/doctest.h>

#include <tidemark/archive/unpack.hpp>

#include "held_tensors.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using namespace tidemark::detail;

TEST_CASE("only what is out of proportion is taken, and all or nothing of it") {
  std::uint64_t spare = 100;
  CHECK(take_buckets(spare, 64 * 3, 1, 2));
  CHECK(spare == 100);
  CHECK(take_buckets(spare, 64 * 3 + 60, 1, 2));
  CHECK(spare == 40);
  CHECK_FALSE(take_buckets(spare, 64 + 41, 1, 0));
  CHECK_FALSE(take_buckets(spare, UINT64_MAX, 1, 0));
  CHECK(spare == 40);
  CHECK(take_buckets(spare, 64 + 40, 1, 0));
  CHECK(spare == 0);
}

namespace {

struct node {
  std::unordered_set<int> marks;
  std::vector<node> below;
};
std::string number(std::uint64_t value) { return {reinterpret_cast<const char*>(&value), 8}; }

}  // namespace

TEST_CASE("many containers share the buckets that a file may ask for without elements") {
  std::map<std::string, std::unordered_set<int>> all;
  for (int i = 0; i < 20; ++i) all[std::to_string(i)] = {i};
  held::tensors stored = held::encode(all);
  const auto asking_for = [&](std::uint64_t buckets) {
    for (auto& t : stored) {
      if (t.name.ends_with("#buckets")) t.bytes = number(buckets);
    }
    decltype(all) loaded;
    held::decode(stored, loaded);
    return loaded;
  };
  CHECK(asking_for(200'000).at("7") == std::unordered_set<int>{7});
  CHECK_THROWS_AS(asking_for(300'000), tidemark::error);
  for (auto& [key, set] : all) set.rehash(200'000);
  CHECK_NOTHROW(held::encode(all));
  for (auto& [key, set] : all) set.rehash(300'000);
  CHECK_THROWS_AS(held::encode(all), tidemark::error);
}

TEST_CASE("a packed value has few buckets to spare, when it is saved and when it is read") {
  node n{{1, 2}, {{}, {}}};
  n.below[0].marks.rehash(900);
  std::string bytes;
  CHECK_NOTHROW(pack(bytes, n));
  static const tidemark::schema type = make_schema<node>();
  const auto unpacked = [&] {
    packed_bytes in{bytes_of(bytes)};
    node back;
    unpack<node>(in, {&type, &type}, back);
    return back.below.size();
  };
  CHECK(unpacked() == 2);
  const std::string had = number(n.below[0].marks.bucket_count());
  bytes.replace(bytes.find(had), 8, number(2000));
  CHECK_THROWS_AS(unpacked(), tidemark::error);
  n.below[0].marks.rehash(2000);
  CHECK_THROWS_AS(pack(bytes, n), tidemark::error);
}
