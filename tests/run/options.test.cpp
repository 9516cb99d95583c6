// SPDX-License-Identifier: BSL-1.0
// run/options.hpp: the defaults of a checkpointer.
#include <tidemark/run/options.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>

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

TEST_CASE("an interval too long for the clock is never, and one that is no number is refused") {
  using seconds = std::chrono::duration<double>;
  CHECK(detail::clock_duration(1.5s) == 1500ms);
  CHECK(detail::clock_duration(seconds(1e300)) > 24h * 365 * 99);
  CHECK(detail::clock_duration(seconds(std::numeric_limits<double>::infinity())) > 24h * 365 * 99);
  CHECK(detail::clock_duration(seconds(-1e300)) < 0s);
  CHECK_THROWS_AS(detail::clock_duration(seconds(std::numeric_limits<double>::quiet_NaN())), error);
}

TEST_CASE("intervals are written as durations of any unit") {
  const checkpointer_options options{.every = 90s, .keep_best = {{"loss"}, {"accuracy", best::highest, 2}}};
  CHECK(options.every == 1.5min);
  CHECK(options.keep_best[1].n == 2);
}
