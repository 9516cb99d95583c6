// SPDX-License-Identifier: BSL-1.0
// tests/rng/twister_words.test.cpp: the recurrence of a Mersenne twister runs forwards and backwards over the same words.
#include <tidemark/rng/twister_words.hpp>

#include <doctest/doctest.h>
#include "golden_states.hpp"
#include "twisters.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

using namespace tidemark;
using namespace twisters;

TEST_CASE("twisting a canonical mt19937 to the end of its block gives NumPy's block, and untwisting that gives it back") {
  for (const golden::row& row : golden::mt19937) {
    CAPTURE(row.drawn);
    const auto state = golden::stepped<std::mt19937>(42, row.drawn);
    auto block = state.state;
    const auto from = row.position == 0 ? std::size_t{624} : static_cast<std::size_t>(row.position);  // NumPy's pos
    detail::twister<std::mt19937>::advance(block, from);
    CHECK(golden::hash(block) == row.numpy);
    detail::twister<std::mt19937>::rewind(block, from);
    CHECK(block == state.state);
  }
}

TEST_CASE_TEMPLATE("untwisting undoes twisting from every position, but for bits on which nothing depends", E, std::mt19937, std::mt19937_64, tiny, narrow, wide_low, all_low,
                   adjacent) {
  using rule = detail::twister<E>;
  for (std::size_t from = 0; from <= rule::n; ++from) {
    const auto state = golden::stepped<E>(from + 1, from + 2 * rule::n);
    auto words = state.state;
    rule::advance(words, from);
    rule::rewind(words, from);
    if (from == 0) words[0] = static_cast<typename rule::word>(words[0] | (state.state[0] & rule::low));
    REQUIRE(words == state.state);
  }
}
