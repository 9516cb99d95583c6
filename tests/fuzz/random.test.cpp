// SPDX-License-Identifier: BSL-1.0
// fuzz/random.test.cpp: engines, distributions and readers from files that may be anything: the seeds of the fuzzer and a short walk from them.
#include "random_target.hpp"

#include "mutate.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

TEST_CASE("random engines and readers of a file that may be anything are fit for use, or refused") {
  fuzz::chance random(13);
  std::vector<fuzz::bytes> corpus = fuzz::random_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::random_input(seed));
  const int inputs = scratch::share_of(20'000);
  const int accepted = fuzz::walk_files(corpus, random, inputs, fuzz::random_input);
  CHECK(accepted > inputs / 20);
  CHECK(accepted < 3 * inputs / 4);
}
