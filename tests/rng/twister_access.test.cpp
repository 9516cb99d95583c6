// SPDX-License-Identifier: BSL-1.0
// tests/rng/twister_access.test.cpp: both ways to the words of a live engine are right, also for engines that came from a text.
#include <tidemark/rng/twister_access.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"
#include "twisters.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace tidemark;
using detail::twister_path;
using namespace twisters;

TEST_CASE_TEMPLATE("a Mersenne twister resumes through the text operators, where memory is of no known form", E, std::mt19937, std::mt19937_64, tiny, narrow,
                   wide_low, all_low, adjacent) {
  constexpr std::size_t n = E::state_size;
  const resume::hostile_locale hostile;
  const std::size_t stride = n > 100 ? 37 : 1;
  E original(42);
  for (std::size_t drawn = 0; drawn <= 2 * n + 1; drawn += stride, original.discard(stride)) resumes(original, twister_path::text);
  for (const std::size_t drawn : {n - 1, n, n + 1}) {
    E at_boundary(5);
    at_boundary.discard(drawn);
    resumes(at_boundary, twister_path::text);
  }
}

TEST_CASE_TEMPLATE("the two ways to the words of an engine read each other's states", E, std::mt19937, std::mt19937_64, tiny, adjacent) {
  constexpr std::size_t n = E::state_size;
  for (const std::size_t drawn : {std::size_t{0}, std::size_t{1}, n / 2, n - 1, n, n + 1}) {
    E original(3);
    original.discard(drawn);
    for (const auto& [out, in] : {std::pair{twister_path::memory, twister_path::text}, std::pair{twister_path::text, twister_path::memory}}) {
      E resumed(8);
      detail::restore_twister(resumed, detail::snapshot_twister(original, out), in);
      CHECK(resumed == original);
      E expected = original;
      for (std::size_t draw = 0; draw < 3 * n; ++draw) REQUIRE(resumed() == expected());
    }
  }
}

TEST_CASE("a block that was read from text at position 0 keeps its stream") {
  if (detail::twister_text<std::mt19937>::form() != detail::twister_form::block) return;
  std::mt19937 original(42);
  original.discard(1);
  std::vector<std::uint64_t> numbers = detail::numbers_of(original);
  numbers.back() = 0;  // all words of the current generation, none handed out: drawing never leads here
  REQUIRE(detail::read_numbers(original, numbers));
  std::mt19937 resumed(7);
  resume::restore(resumed, resume::saved(original));
  for (int draw = 0; draw < 2000; ++draw) REQUIRE(resumed() == original());
}

TEST_CASE("an engine that was read from a malicious text is refused when it is saved") {
  if (detail::twister_text<std::mt19937>::form() != detail::twister_form::block) return;
  std::mt19937 engine;
  std::vector<std::uint64_t> zeros(625, 0);
  REQUIRE(detail::read_numbers(engine, zeros));
  CHECK_THROWS_AS(resume::saved(engine), error);
  if (sizeof(std::mt19937::result_type) == 8) {
    zeros[3] = std::uint64_t{1} << 32;
    REQUIRE(detail::read_numbers(engine, zeros));
    CHECK_THROWS_AS(resume::saved(engine), error);
  }
}
