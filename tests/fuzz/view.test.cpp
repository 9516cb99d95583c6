// SPDX-License-Identifier: BSL-1.0
// fuzz/view.test.cpp: files that may be anything, verified and opened: the seeds of the fuzzer and a short walk from them.
#include "view_target.hpp"

#include "mutate.hpp"

#include "share.hpp"

#include <doctest/doctest.h>

TEST_CASE("a file that may be anything is verified and opened, or refused, within memory that its size bounds") {
  fuzz::chance random(11);
  std::vector<fuzz::bytes> corpus = fuzz::view_seeds();
  for (const fuzz::bytes& seed : corpus) {
    fuzz::view_input(seed);
    CHECK_NOTHROW(static_cast<void>(tidemark::verify(tidemark::memory{seed})));
  }
  const int inputs = scratch::share_of(20'000);
  for (int i = 0; i < inputs; ++i) {
    const fuzz::bytes input = fuzz::mutated(random.of(corpus), random);
    CAPTURE(i);
    REQUIRE_NOTHROW(fuzz::view_input(input));
    if (random.one_in(100)) random.of(corpus) = input;  // so that changes pile up
  }
}
