// SPDX-License-Identifier: BSL-1.0
// fuzz/cereal.test.cpp: bytes that may be blobs of types with cereal functions: the seeds of the fuzzer and a short walk from them.
#include "cereal_target.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

TEST_CASE("bytes that may be a blob of cereal functions are read as what stores to them, or refused with the target untouched, within memory that their number bounds") {
  fuzz::chance random(23);
  std::vector<fuzz::bytes> corpus = fuzz::cereal_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::cereal_input(seed));
  const int inputs = scratch::share_of(20'000);
  const int accepted = fuzz::walk_bytes(corpus, random, inputs, fuzz::cereal_input);
  CHECK(accepted > inputs / 50);
  CHECK(accepted < 19 * inputs / 20);
}
