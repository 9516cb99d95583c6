// SPDX-License-Identifier: BSL-1.0
// fuzz/types.test.cpp: files that may be anything, loaded as the standard's other containers: the seeds of the fuzzer and a short walk from them.
#include "types_target.hpp"

#include "mutate.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

TEST_CASE("a file that may be anything is loaded as these types as it is, or refused with the target untouched, within memory that its size bounds") {
  fuzz::chance random(22);
  std::vector<fuzz::bytes> corpus = fuzz::types_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::types_input(seed));
  const int inputs = scratch::share_of(4000);
  const int accepted = fuzz::walk_files(corpus, random, inputs, fuzz::types_input);
  CHECK(accepted > inputs / 20);
  CHECK(accepted < 3 * inputs / 4);
}
