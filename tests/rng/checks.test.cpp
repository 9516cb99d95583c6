// SPDX-License-Identifier: BSL-1.0
// tests/rng/checks.test.cpp: how numbers are spelled.
#include <tidemark/rng/checks.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <limits>
#include <sstream>
#include <string>

using namespace tidemark;

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
