// SPDX-License-Identifier: BSL-1.0
// fuzz/random.test.cpp: engines, distributions and readers from files that may be anything: the seeds of the fuzzer and a short walk from them.
#include "random_target.hpp"

#include "mutate.hpp"

#include "share.hpp"

#include <doctest/doctest.h>

TEST_CASE("random engines and readers of a file that may be anything are fit for use, or refused") {
  fuzz::chance random(13);
  std::vector<fuzz::bytes> corpus = fuzz::random_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::random_input(seed));
  int accepted = 0;
  const int inputs = scratch::share_of(20'000);
  for (int i = 0; i < inputs; ++i) {
    const fuzz::bytes input = fuzz::mutated(random.of(corpus), random);
    CAPTURE(i);
    bool is_accepted = false;
    REQUIRE_NOTHROW(is_accepted = fuzz::random_input(input));
    accepted += is_accepted;
    if (is_accepted && random.one_in(20)) random.of(corpus) = input;  // so that changes pile up
  }
  CHECK(accepted > inputs / 20);
  CHECK(accepted < 3 * inputs / 4);
}
