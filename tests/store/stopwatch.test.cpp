// SPDX-License-Identifier: BSL-1.0
// store/stopwatch.test.cpp: the seconds of a stopwatch begin at 0 and never go back.
#include <tidemark/store/stopwatch.hpp>

#include <doctest/doctest.h>

TEST_CASE("seconds never go back, whoever asks first") {
  const tidemark::detail::stopwatch watch;
  double last = 0;
  for (int i = 0; i < 1000; ++i) {
    const double now = watch.seconds();
    REQUIRE(now >= last);
    last = now;
  }
  const tidemark::detail::stopwatch later;
  const double short_time = later.seconds();
  CHECK(watch.seconds() >= short_time);
}
