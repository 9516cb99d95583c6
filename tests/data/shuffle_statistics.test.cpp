// SPDX-License-Identifier: BSL-1.0
// tests/data/shuffle_statistics.test.cpp: the shuffled order cannot be told from a uniformly random one. All seeds are fixed.
#include <tidemark/data/keyed_permutation.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

using tidemark::detail::keyed_permutation;

namespace {

/// How many standard deviations chi-square of `counts`, all equally likely, lies from its mean.
template <class Counts>
double deviation(const Counts& counts, double draws) {
  const double cells = static_cast<double>(counts.size());
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - draws / cells) * (count - draws / cells) * cells / draws;
  return (chi_square - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

/// Some 100 tests are made here: 5 deviations of one are beyond chance, and what is broken lies at 50.
constexpr double limit = 5;

/// `visit(permutation, k)` for many permutations that differ in their epoch, then in their seed.
template <class F>
void for_epochs_and_seeds(std::uint64_t size, std::uint64_t count, F visit) {
  for (std::uint64_t k = 0; k < count; ++k) visit(0, keyed_permutation(size, 12, k));
  for (std::uint64_t k = 0; k < count; ++k) visit(1, keyed_permutation(size, k, 34));
}

}  // namespace

TEST_CASE("each order of few items is equally likely") {
  double factorial = 1;
  for (std::uint64_t size = 2; size <= 6; ++size) {
    factorial *= static_cast<double>(size);
    const auto draws = static_cast<std::uint64_t>(factorial) * 100;
    std::map<std::uint64_t, double> counts[2];
    for_epochs_and_seeds(size, draws, [&](int way, const keyed_permutation& order) {
      std::uint64_t code = 0;
      for (std::uint64_t position = 0; position < size; ++position) code = code * size + order(position);
      ++counts[way][code];
    });
    for (const auto& count : counts) {
      CAPTURE(size);
      REQUIRE(static_cast<double>(count.size()) == factorial);
      std::vector<double> cells;
      for (const auto& [code, times] : count) cells.push_back(times);
      CHECK(std::abs(deviation(cells, static_cast<double>(draws))) < limit);
    }
  }
}

TEST_CASE("each item is equally likely at each position") {
  for (const std::uint64_t size : {7u, 10u, 16u, 17u, 64u, 100u, 256u, 257u}) {
    for (const std::uint64_t position : {std::uint64_t{0}, size / 2, size - 1}) {
      std::vector<double> counts[2] = {std::vector<double>(size), std::vector<double>(size)};
      for_epochs_and_seeds(size, 50 * size, [&](int way, const keyed_permutation& order) { ++counts[way][order(position)]; });
      for (const auto& count : counts) {
        CAPTURE(size);
        CAPTURE(position);
        CHECK(std::abs(deviation(count, 50 * static_cast<double>(size))) < limit);
      }
    }
  }
}

TEST_CASE("each pair of items is equally likely at each pair of positions") {
  for (const std::uint64_t size : {8u, 9u, 16u, 17u, 25u, 32u}) {
    for (const auto& both : {std::pair<std::uint64_t, std::uint64_t>{0, 1}, {0, size - 1}, {2, 6}}) {
      const std::uint64_t first = both.first, second = both.second;
      const std::uint64_t draws = 30 * size * (size - 1);
      std::vector<double> table[2] = {std::vector<double>(size * size), std::vector<double>(size * size)};
      for_epochs_and_seeds(size, draws, [&](int way, const keyed_permutation& order) { ++table[way][order(first) * size + order(second)]; });
      for (const auto& counts : table) {
        CAPTURE(size);
        CAPTURE(first);
        CAPTURE(second);
        std::vector<double> cells;
        for (std::size_t cell = 0; cell < counts.size(); ++cell) {
          if (cell / size != cell % size) cells.push_back(counts[cell]);
        }
        CHECK(std::abs(deviation(cells, static_cast<double>(draws))) < limit);
      }
    }
  }
}

TEST_CASE("inversions, parity and fixed points are as in random orders") {
  for (const std::uint64_t size : {9u, 16u, 25u, 60u, 256u, 289u}) {
    CAPTURE(size);
    const double n = static_cast<double>(size), draws = 4000;
    double inversions = 0, odd = 0, fixed = 0;
    for (std::uint64_t epoch = 0; epoch < 4000; ++epoch) {
      const keyed_permutation order(size, 5, epoch);
      std::vector<std::uint64_t> items;
      for (std::uint64_t position = 0; position < size; ++position) items.push_back(order(position));
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < items.size(); ++i) {
        fixed += items[i] == i ? 1 : 0;
        for (std::size_t j = i + 1; j < items.size(); ++j) count += items[i] > items[j] ? 1 : 0;
      }
      inversions += static_cast<double>(count);
      odd += static_cast<double>(count % 2);
    }
    const double variance = n * (n - 1) * (2 * n + 5) / 72;
    CHECK(std::abs(inversions / draws - n * (n - 1) / 4) < limit * std::sqrt(variance / draws));
    CHECK(std::abs(odd - draws / 2) < limit * std::sqrt(draws / 4));
    CHECK(std::abs(fixed - draws) < limit * std::sqrt(draws));  // one an order, with variance 1
  }
}

TEST_CASE("neighbours in a large order are independent") {
  constexpr std::size_t parts = 32;
  for (const std::uint64_t size : {std::uint64_t{100000}, std::uint64_t{1} << 24, (std::uint64_t{1} << 32) + 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    for (const std::uint64_t lag : {1u, 2u, 512u}) {
      CAPTURE(size);
      CAPTURE(lag);
      const keyed_permutation order(size, 5, 6);
      std::vector<double> counts(parts * parts);
      const auto part = [&](std::uint64_t position) {
        return std::min(parts - 1, static_cast<std::size_t>(static_cast<double>(order(position)) / static_cast<double>(size) * parts));
      };
      for (std::uint64_t k = 0; k < 40000; ++k) ++counts[part(k) * parts + part(k + lag)];
      CHECK(std::abs(deviation(counts, 40000)) < limit);
    }
  }
}

TEST_CASE("the next epoch, and the next seed, tell nothing about this one") {
  for (const std::uint64_t size : {10u, 64u, 1000u}) {
    for (const bool by_seed : {false, true}) {
      CAPTURE(size);
      CAPTURE(by_seed);
      std::vector<double> counts(100);
      for (std::uint64_t k = 0; k < 30000; ++k) {
        const keyed_permutation here(size * 10, by_seed ? k : 1, by_seed ? 1 : k), next(size * 10, by_seed ? k + 1 : 1, by_seed ? 1 : k + 1);
        ++counts[here(3) / size * 10 + next(3) / size];
      }
      CHECK(std::abs(deviation(counts, 30000)) < limit);
    }
  }
}

TEST_CASE("seed s in epoch e + 1 is not seed s + 1 in epoch e, nor seed e in epoch s") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
      const std::uint64_t key = keyed_permutation(1000, seed, epoch + 1).key;
      REQUIRE(key != keyed_permutation(1000, seed + 1, epoch).key);
      if (seed != epoch + 1) REQUIRE(key != keyed_permutation(1000, epoch + 1, seed).key);
    }
  }
}
