// SPDX-License-Identifier: BSL-1.0
// tests/data/keyed_permutation.test.cpp: the shuffled order is a permutation of every size, and the same one everywhere.
#include <tidemark/data/keyed_permutation.hpp>

#include <doctest/doctest.h>
#include "golden_orders.hpp"

#include <cstdint>
#include <set>
#include <vector>

using tidemark::detail::keyed_permutation;
using tidemark::detail::splitmix;

namespace {

constexpr std::uint64_t largest = ~std::uint64_t{0};

void is_permutation_of(std::uint64_t size, std::uint64_t seed, std::uint64_t epoch) {
  const keyed_permutation order(size, seed, epoch);
  std::vector<char> seen(size);
  for (std::uint64_t position = 0; position < size; ++position) {
    const std::uint64_t index = order(position);
    if (index >= size || seen[index] || order.inverse(index) != position) {
      FAIL("size " << size << ", seed " << seed << ", epoch " << epoch << ", position " << position << " gives " << index);
    }
    seen[index] = 1;
  }
}

std::vector<std::uint64_t> order_of(std::uint64_t size, std::uint64_t seed, std::uint64_t epoch) {
  const keyed_permutation order(size, seed, epoch);
  std::vector<std::uint64_t> result;
  for (std::uint64_t position = 0; position < size; ++position) result.push_back(order(position));
  return result;
}

static_assert(keyed_permutation(10, 1, 2).inverse(keyed_permutation(10, 1, 2)(7)) == 7);  // also at compile time

}  // namespace

TEST_CASE("every index of an epoch comes exactly once, for every size up to 700") {
  for (std::uint64_t size = 1; size <= 700; ++size) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xDEADBEEF}, largest}) {
      for (const std::uint64_t epoch : {std::uint64_t{0}, std::uint64_t{1}, largest}) is_permutation_of(size, seed, epoch);
    }
  }
}

TEST_CASE("every index of an epoch comes exactly once, around powers of 2 and 4, for many seeds and epochs") {
  for (const std::uint64_t power : {1024u, 2048u, 4096u, 65536u}) {
    for (const std::uint64_t size : {power - 1, power, power + 1}) is_permutation_of(size, size * 7, power);
  }
  for (std::uint64_t k = 0; k < 200; ++k) {
    is_permutation_of(37, k, 5);
    is_permutation_of(300, 5, k);
    is_permutation_of(257, splitmix(k, 0), splitmix(k, 1));
  }
  is_permutation_of(1000003, 8, 9);
}

TEST_CASE("orders of up to 2^64 - 1 items neither repeat an index nor leave the range") {
  for (const std::uint64_t base : {std::uint64_t{1} << 32, std::uint64_t{1} << 33, std::uint64_t{1} << 62, std::uint64_t{1} << 63, largest - 1}) {
    for (const std::uint64_t size : {base - 1, base, base + 1}) {
      CAPTURE(size);
      const keyed_permutation order(size, 3, 4);
      REQUIRE(order.bits <= 32);
      std::set<std::uint64_t> seen;
      std::set<std::uint64_t> positions;
      for (std::uint64_t k = 0; k < 500; ++k) {
        positions.insert({k, size - 1 - k, size / 2 + k, splitmix(1, k) % size});
      }
      for (const std::uint64_t position : positions) {
        const std::uint64_t index = order(position);
        REQUIRE(index < size);
        REQUIRE(order.inverse(index) == position);
        REQUIRE(order(order.inverse(position)) == position);
        REQUIRE(seen.insert(index).second);
      }
    }
  }
}

TEST_CASE("the walk to an index inside the range is short") {
  // 2^bits * rows is less than 2 * size, and about size for large ones.
  for (std::uint64_t size = 1; size <= 5000; ++size) {
    const keyed_permutation order(size, 0, 0);
    const std::uint64_t domain = order.rows << order.bits;
    REQUIRE(domain >= size);
    REQUIRE(domain < 2 * size);
    if (size > 1000) REQUIRE(domain <= size + size / 15);
  }
}

TEST_CASE("the order is the one that is written down, from every compiler, today and later") {
  CHECK(order_of(10, 42, 0) == std::vector<std::uint64_t>{0, 8, 9, 7, 1, 3, 6, 2, 4, 5});
  CHECK(order_of(10, 42, 1) == std::vector<std::uint64_t>{4, 6, 0, 9, 3, 1, 7, 8, 5, 2});
  for (const golden::order& row : golden::orders) {
    CAPTURE(row.size);
    CAPTURE(row.seed);
    CAPTURE(row.epoch);
    const keyed_permutation order(row.size, row.seed, row.epoch);
    const std::uint64_t head = row.size < 1000 ? row.size : 1000;
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (std::uint64_t position = 0; position < head; ++position) {
      for (unsigned shift = 0; shift < 64; shift += 8) hash = (hash ^ (order(position) >> shift & 0xFF)) * 0x100000001B3u;
    }
    CHECK(order(0) == row.first);
    CHECK(order(head - 1) == row.of_head);
    CHECK(order(row.size - 1) == row.last);
    CHECK(hash == row.hash);
  }
}
