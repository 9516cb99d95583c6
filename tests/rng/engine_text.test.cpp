// SPDX-License-Identifier: BSL-1.0
// tests/rng/engine_text.test.cpp: the numbers that an engine prints are read right under any global locale.
#include <tidemark/rng/engine_text.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <cstdint>
#include <random>
#include <sstream>
#include <vector>

using namespace tidemark;

TEST_CASE_TEMPLATE("the numbers of an engine are the same under a locale that groups digits, and make the same engine", E, std::mt19937, std::minstd_rand, std::ranlux24,
                   std::knuth_b) {
  E engine(123);
  engine.discard(7);
  const std::vector<std::uint64_t> plain = detail::numbers_of(engine);
  const resume::hostile_locale hostile;
  CHECK(detail::numbers_of(engine) == plain);
  E read;
  REQUIRE(detail::read_numbers(read, plain));
  CHECK(read == engine);
}

TEST_CASE("the hostile locale of these tests does break naive text") {
  const resume::hostile_locale hostile;
  std::ostringstream text;
  text << 1234567 << ' ' << 1.5;
  CHECK(text.str() == "1.234.567 1,5");
}

TEST_CASE("too few numbers leave an engine as it was") {
  std::mt19937 engine(5);
  engine.discard(3);
  const std::mt19937 before = engine;
  CHECK(!detail::read_numbers(engine, {1, 2, 3}));
  CHECK(engine == before);
}
