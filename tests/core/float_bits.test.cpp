// SPDX-License-Identifier: BSL-1.0
// tests/core/float_bits.test.cpp: what counts as a number.
#include <tidemark/core/float_bits.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

using namespace tidemark;

TEST_CASE_TEMPLATE("NaN and the infinities are told from numbers", T, float, double, long double) {
  using limits = std::numeric_limits<T>;
  for (const T value : {T{0}, -T{0}, T{1}, limits::max(), limits::lowest(), limits::min(), limits::denorm_min(), -limits::denorm_min()}) {
    CHECK(!detail::is_nan(value));
    CHECK(detail::is_finite(value));
  }
  for (const T value : {limits::infinity(), -limits::infinity()}) {
    CHECK(!detail::is_nan(value));
    CHECK(!detail::is_finite(value));
  }
  for (const T value : {limits::quiet_NaN(), -limits::quiet_NaN(), limits::signaling_NaN()}) {
    CHECK(detail::is_nan(value));
    CHECK(!detail::is_finite(value));
  }
}
