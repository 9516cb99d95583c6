// SPDX-License-Identifier: BSL-1.0
// tests/rng/twisters.hpp: Mersenne twisters of odd shapes, and what it means that one resumes.
#ifndef TIDEMARK_TESTS_RNG_TWISTERS_HPP
#define TIDEMARK_TESTS_RNG_TWISTERS_HPP

#include <tidemark/rng/mersenne_twister.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>

namespace twisters {

// Small, so that every position of several generations can be tried; odd sizes, w below the word, r of 0, of w, and next to it.
using tiny = std::mersenne_twister_engine<std::uint32_t, 31, 5, 2, 7, 0x5A3B2C1D, 11, 0x7FFFFFFF, 7, 0x1D2C5680, 15, 0x6FC60000, 18, 1812433253>;
using narrow = std::mersenne_twister_engine<std::uint_fast16_t, 16, 7, 3, 0, 0xA5C3, 5, 0xFFFF, 3, 0x1C56, 7, 0x2F60, 9, 1103>;
using wide_low = std::mersenne_twister_engine<std::uint64_t, 64, 9, 8, 63, 0xB5026F5AA96619E9, 29, 0x5555555555555555, 17, 0x71D67FFFEDA60000, 37,
                                              0xFFF7EEE000000000, 43, 6364136223846793005>;
using all_low = std::mersenne_twister_engine<std::uint32_t, 31, 6, 3, 31, 0x5A3B2C1D, 11, 0x7FFFFFFF, 7, 0x1D2C5680, 15, 0x6FC60000, 18, 1812433253>;
using adjacent = std::mersenne_twister_engine<std::uint64_t, 40, 3, 2, 13, 0x9908B0DF11, 11, 0xFFFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 69069>;

template <class E>
void resumes(const E& original, tidemark::detail::twister_path path) {
  constexpr std::size_t n = E::state_size;
  E resumed(7);  // differently seeded, advanced
  resumed.discard(100);
  const auto state = tidemark::detail::snapshot_twister(original, path);
  REQUIRE(state.position < n);
  tidemark::detail::restore_twister(resumed, state, path);
  REQUIRE(resumed == original);
  REQUIRE(tidemark::detail::snapshot_twister(resumed, path) == state);
  E expected = original;
  for (std::size_t draw = 0; draw < 3 * n + 2; ++draw) {
    if (resumed() != expected()) FAIL("draw " << draw << " differs at position " << state.position);
  }
  REQUIRE(resumed == expected);
}

}  // namespace twisters

#endif
