// SPDX-License-Identifier: BSL-1.0
// fuzz/load.test.cpp: files that may be anything, loaded: the seeds of the fuzzer and a short walk from them.
#include "load_target.hpp"

#include "mutate.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

TEST_CASE("a file that may be anything is loaded as it is, or refused with the target untouched, within memory that its size bounds") {
  fuzz::chance random(12);
  std::vector<fuzz::bytes> corpus = fuzz::load_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::load_input(seed));
  const int inputs = scratch::share_of(20'000);
  const int accepted = fuzz::walk_files(corpus, random, inputs, fuzz::load_input);
  CHECK(accepted > inputs / 20);
  CHECK(accepted < 3 * inputs / 4);
}

TEST_CASE("a column that says it is long and has no bytes takes no memory, whichever it is") {
  const auto parts = *fuzz::taken_apart(fuzz::load_seeds()[0]);
  for (std::size_t t = 0; t < parts.tensors.size(); ++t) {
    for (const std::uint64_t extent : {1'000u, 30'000u, 262'144u, 1u << 20}) {
      auto changed = parts;
      changed.tensors[t].shape = {extent, 0};
      changed.tensors[t].content.clear();
      CAPTURE(changed.tensors[t].name);
      bool is_accepted = true;
      REQUIRE_NOTHROW(is_accepted = fuzz::load_input(fuzz::put_together(changed)));
      CHECK_FALSE(is_accepted);
    }
  }
}
