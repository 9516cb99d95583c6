// SPDX-License-Identifier: BSL-1.0
// fuzz/walk.hpp: a short walk from the seeds of a fuzzer, in the tests.
#ifndef TIDEMARK_TESTS_FUZZ_WALK_HPP
#define TIDEMARK_TESTS_FUZZ_WALK_HPP

#include "mutate.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace fuzz {

/// Gives `judge` as many `inputs`, each made by `change(random, input)` of one of the corpus, and puts some of those that it accepts in
/// there, so that changes pile up. Returns how many it accepted.
template <class Change, class Judge>
int walk(std::vector<bytes>& corpus, chance& random, int inputs, Change change, Judge judge) {
  int accepted = 0;
  for (int i = 0; i < inputs; ++i) {
    const bytes input = change(random, random.of(corpus));
    CAPTURE(i);
    bool is_accepted = false;
    REQUIRE_NOTHROW(is_accepted = judge(input));
    accepted += is_accepted;
    if (is_accepted && random.one_in(20)) random.of(corpus) = input;
  }
  return accepted;
}

/// The same over files whose digests stay right.
template <class Judge>
int walk_files(std::vector<bytes>& corpus, chance& random, int inputs, Judge judge) {
  return walk(corpus, random, inputs, [](chance& r, const bytes& file) { return mutated(file, r); }, judge);
}

/// The same over bytes that are no file.
template <class Judge>
int walk_bytes(std::vector<bytes>& corpus, chance& random, int inputs, Judge judge) {
  const auto change = [](chance& r, bytes input) {
    for (auto n = 1 + r.below(3); n-- > 0;) mutate_bytes(input, r, 4096);
    return input;
  };
  return walk(corpus, random, inputs, change, judge);
}

}  // namespace fuzz
#endif
