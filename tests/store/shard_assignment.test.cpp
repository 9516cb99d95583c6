// SPDX-License-Identifier: BSL-1.0
// store/shard_assignment.test.cpp: every tensor in one shard, in file order, as many shards as asked for, none too large, all of like size.
#include <tidemark/store/shard_assignment.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

namespace {

/// Tensors of these sizes, named t0, t1, ...
struct tensors {
  std::deque<std::string> names;
  std::vector<planned_tensor> all;

  explicit tensors(const std::vector<std::uint64_t>& sizes) {
    std::uint64_t offset = 0;
    for (const std::uint64_t bytes : sizes) {
      names.push_back("t" + std::to_string(names.size()));
      planned_tensor t;
      t.info.name = names.back();
      t.info.offset = offset;
      t.info.bytes = bytes;
      offset += bytes;
      all.push_back(t);
    }
  }
  operator std::span<const planned_tensor>() const& { return all; }
  operator std::span<const planned_tensor>() const&& = delete;  // the names would be gone before the parts
};

std::size_t number_of(const planned_tensor& t) { return std::stoul(std::string(t.info.name.substr(1))); }

std::uint64_t largest(const std::vector<shard_part>& parts) {
  std::uint64_t most = 0;
  for (const auto& p : parts) most = (std::max)(most, p.bytes);
  return most;
}

/// Every tensor once, in each shard in file order and one behind the other, and no shard empty.
void require_whole(const tensors& from, const std::vector<shard_part>& parts) {
  std::set<std::size_t> seen;
  for (const auto& part : parts) {
    std::uint64_t at = 0;
    std::size_t last = 0;
    for (const auto& t : part.tensors) {
      const std::size_t n = number_of(t);
      REQUIRE(seen.insert(n).second);
      REQUIRE((&t == part.tensors.data() || n > last));
      REQUIRE(t.info.bytes == from.all[n].info.bytes);
      REQUIRE(t.info.offset == at);
      last = n;
      at += t.info.bytes;
    }
    REQUIRE(part.bytes == at);
    REQUIRE((!part.tensors.empty() || from.all.empty()));
  }
  REQUIRE(seen.size() == from.all.size());
}

std::vector<std::vector<std::uint64_t>> samples() {
  std::vector<std::vector<std::uint64_t>> all = {{}, {0}, {7}, {0, 0, 0}, {0, 5, 0}, {1, 1, 1, 1}, {100, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {UINT64_MAX / 2, 1, UINT64_MAX / 4}, std::vector<std::uint64_t>(50, 3)};
  std::mt19937 draw(1);
  for (int i = 0; i < 60; ++i) {
    std::vector<std::uint64_t> sizes(draw() % 40 + 1);
    for (auto& s : sizes) s = draw() % 4 == 0 ? 0 : std::uint64_t{1} << draw() % static_cast<unsigned>(i % 20 + 1);
    all.push_back(sizes);
  }
  return all;
}

/// The least that the fullest of `shards` can hold, by trying all ways.
std::uint64_t best(const std::vector<std::uint64_t>& sizes, std::size_t shards) {
  std::uint64_t least = UINT64_MAX;
  std::vector<std::uint64_t> used(shards);
  const auto place = [&](auto& self, std::size_t i) -> void {
    if (*std::max_element(used.begin(), used.end()) >= least) return;
    if (i == sizes.size()) return void(least = *std::max_element(used.begin(), used.end()));
    for (auto& u : used) {
      u += sizes[i];
      self(self, i + 1);
      u -= sizes[i];
      if (u == 0) break;  // empty shards are alike
    }
  };
  place(place, 0);
  return least;
}

}  // namespace

TEST_CASE("as many shards as asked for, or one a tensor where there are fewer") {
  for (const auto& sizes : samples()) {
    const tensors from(sizes);
    for (const std::size_t shards : {1u, 2u, 3u, 4u, 7u, 16u, 1000u}) {
      for (const auto& way : {balanced, round_robin}) {
        const auto parts = assign_shards(from, shards, 1, way);  // the number goes before the size
        require_whole(from, parts);
        CHECK(parts.size() == (std::max)(std::size_t{1}, (std::min)(shards, sizes.size())));
      }
    }
  }
}

TEST_CASE("no shard passes the size asked for, but one of a single larger tensor") {
  for (const auto& sizes : samples()) {
    const tensors from(sizes);
    for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5}, std::uint64_t{64}, std::uint64_t{1000}, std::uint64_t{5'000'000'000}, UINT64_MAX}) {
      for (const auto& way : {balanced, round_robin, by_group([](std::string_view name) { return std::string(name.substr(0, 2)); }), by_group([](std::string_view) { return std::string(); })}) {
        const auto parts = assign_shards(from, 0, most, way);
        require_whole(from, parts);
        for (const auto& p : parts) CHECK((p.bytes <= most || p.tensors.size() == 1));
      }
    }
    if (sizes.size() > 9) continue;
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    CHECK(assign_shards(from, 0, (std::max<std::uint64_t>)(total, 1), balanced).size() == 1);  // what fits into one stays in one
  }
}

TEST_CASE("a limit of bytes gives no more than twice the shards that it needs, and one") {
  for (const auto& sizes : samples()) {
    const tensors from(sizes);
    const std::uint64_t most = (std::max<std::uint64_t>)(1, sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end()));
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    CHECK(assign_shards(from, 0, most, balanced).size() <= 2 * (total / most + 1) + 1);
  }
}

TEST_CASE("balanced shards: the fullest holds at most 4/3 - 1/3n of what the best assignment would give it") {
  std::mt19937 draw(2);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint64_t> sizes(draw() % 9 + 1);
    for (auto& s : sizes) s = i % 3 == 0 ? draw() % 10 : i % 3 == 1 ? draw() % 1000 : std::uint64_t{1} << draw() % 10;
    const std::size_t shards = (std::min)(sizes.size(), std::size_t{draw() % 4 + 1});
    const tensors from(sizes);
    const auto parts = assign_shards(from, shards, 0, balanced);
    CHECK(3 * shards * largest(parts) <= (4 * shards - 1) * best(sizes, shards));
  }
  const tensors worst({5, 5, 4, 4, 3, 3, 3});
  CHECK(largest(assign_shards(worst, 3, 0, balanced)) == 11);  // the worst case there is: 9 would do
}

TEST_CASE("a shard of the larger tensors has fewer of the small ones") {
  std::vector<std::uint64_t> sizes(1000, 10);
  sizes[500] = 5000;
  const tensors from(sizes);
  const auto parts = assign_shards(from, 3, 0, balanced);
  for (const auto& p : parts) CHECK((p.bytes >= 4990 && p.bytes <= 5010));
}

TEST_CASE("round robin deals out in turn") {
  const tensors from({9, 8, 7, 6, 5, 4, 3});
  const auto parts = assign_shards(from, 3, 0, round_robin);
  for (std::size_t s = 0; s < 3; ++s) {
    for (const auto& t : parts[s].tensors) CHECK(number_of(t) % 3 == s);
  }
}

TEST_CASE("a group lies in shards of its own, groups in the order of their first tensor") {
  const tensors from({1, 2, 3, 4, 5, 6, 7});
  const auto odd_or_even = by_group([](std::string_view name) { return (name.back() - '0') % 2 != 0 ? "odd" : "even"; });
  for (const std::size_t shards : {0u, 1u, 5u}) {  // a number means nothing to groups
    const auto parts = assign_shards(from, shards, 0, odd_or_even);
    require_whole(from, parts);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].bytes == 1 + 3 + 5 + 7);
    CHECK(parts[1].bytes == 2 + 4 + 6);
  }
  const auto split = assign_shards(from, 0, 8, odd_or_even);  // 0+2 | 1+3 | 4 | 5 | 6
  require_whole(from, split);
  for (const auto& p : split) {
    std::set<std::size_t> kinds;
    for (const auto& t : p.tensors) kinds.insert(number_of(t) % 2);
    CHECK(kinds.size() == 1);
    CHECK(p.bytes <= 8);
  }
  CHECK(split.size() == 5);
}

TEST_CASE("a function for groups is asked once a tensor, and its exceptions pass; none at all is refused") {
  std::map<std::string, int> asked;
  const tensors from({1, 2, 3});
  assign_shards(from, 0, 1, by_group([&](std::string_view name) { return ++asked[std::string(name)], std::string(); }));
  CHECK(asked == std::map<std::string, int>{{"t0", 1}, {"t1", 1}, {"t2", 1}});
  CHECK_THROWS_AS(assign_shards(from, 0, 1, by_group([](std::string_view) -> std::string { throw 7; })), int);
  try {
    static_cast<void>(by_group({}));
    FAIL("taken");
  } catch (const error& e) {
    CHECK(e.code() == errc::unsupported);
  }
}
