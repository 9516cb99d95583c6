// SPDX-License-Identifier: BSL-1.0
// fuzz/cereal.test.cpp: bytes that may be blobs of types with cereal functions: the seeds of the fuzzer and a short walk from them.
#include "cereal_target.hpp"

#include "share.hpp"

#include <doctest/doctest.h>

TEST_CASE("bytes that may be a blob of cereal functions are read as what stores to them, or refused with the target untouched, within memory that their number bounds") {
  fuzz::chance random(23);
  std::vector<fuzz::bytes> corpus = fuzz::cereal_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::cereal_input(seed));
  int accepted = 0;
  const int inputs = scratch::share_of(20'000);
  for (int i = 0; i < inputs; ++i) {
    fuzz::bytes input = random.of(corpus);
    for (auto n = 1 + random.below(3); n-- > 0;) fuzz::mutate_bytes(input, random, 4096);
    CAPTURE(i);
    bool is_accepted = false;
    REQUIRE_NOTHROW(is_accepted = fuzz::cereal_input(input));
    accepted += is_accepted;
    if (is_accepted && random.one_in(20)) random.of(corpus) = input;
  }
  CHECK(accepted > inputs / 50);
  CHECK(accepted < 19 * inputs / 20);
}
