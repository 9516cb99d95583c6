// SPDX-License-Identifier: BSL-1.0
// run/options.hpp: the defaults of a checkpointer.
#include <tidemark/run/options.hpp>

#include <doctest/doctest.h>

#include <chrono>

using namespace tidemark;
using namespace std::chrono_literals;

TEST_CASE("a run that was told nothing saves when it is told to, durably, keeps three, and surprises nobody") {
  const checkpointer_options options;
  CHECK(options.every_steps == 0);
  CHECK(options.every == 0s);
  CHECK(options.keep_last == 3);
  CHECK(options.keep_every == 0);
  CHECK(options.keep_best.empty());
  CHECK(options.keep_geometric == 0);
  CHECK(options.background == background::off);
  CHECK(options.busy == when_busy::wait);
  CHECK(!options.shards);
  CHECK(options.durability == durability::power);
  CHECK(!options.compression.wrap);
  CHECK(!options.deadline);
  CHECK(!options.catch_signals);
  CHECK(!options.cancel.requested());
  CHECK(options.metadata.empty());
}

TEST_CASE("intervals are written as durations of any unit") {
  const checkpointer_options options{.every = 90s, .keep_best = {{"loss"}, {"accuracy", best::highest, 2}}};
  CHECK(options.every == 1.5min);
  CHECK(options.keep_best[1].n == 2);
}
