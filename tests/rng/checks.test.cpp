// SPDX-License-Identifier: BSL-1.0
// tests/rng/checks.test.cpp: what counts as a number, and how numbers are spelled.
#include <tidemark/rng/checks.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <limits>
#include <sstream>
#include <string>

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
  for (const T value : {limits::quiet_NaN(), -limits::quiet_NaN()}) {
    CHECK(detail::is_nan(value));
    CHECK(!detail::is_finite(value));
  }
}

TEST_CASE_TEMPLATE("a number is spelled exactly, and the same under every global locale", T, float, double) {
  for (const T value : {T(1) / 3, -T(2) / 3, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(1234567)}) {
    const std::string plain = detail::number_text(value);
    const resume::hostile_locale hostile;
    CHECK(detail::number_text(value) == plain);
    std::istringstream text(plain);
    text.imbue(std::locale::classic());
    T read = 0;
    text >> read;
    CHECK(read == value);
  }
  CHECK(detail::number_text(-1234567) == "-1234567");
}
