// SPDX-License-Identifier: BSL-1.0
// tests/rng/linear_congruential.test.cpp: what a user of std::minstd_rand and its kin may rely on.
#include <tidemark/rng/linear_congruential.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <cstdint>
#include <random>
#include <type_traits>

using namespace tidemark;

namespace {
using knuth = std::linear_congruential_engine<std::uint64_t, 6364136223846793005u, 1442695040888963407u, 0>;
using ansi = std::linear_congruential_engine<std::uint32_t, 1103515245, 12345, 0x80000000>;
using randu = std::linear_congruential_engine<std::uint32_t, 65539, 0, 0x80000000>;
using short_one = std::linear_congruential_engine<std::uint16_t, 75, 74, 0>;
using to_zero = std::linear_congruential_engine<std::uint32_t, 6, 0, 36>;  // 1, 6, 0, 0, ...

template <class E>
concept HasRepresentation = detail::Represented<E>;
static_assert(HasRepresentation<knuth> && !HasRepresentation<std::linear_congruential_engine<std::uint32_t, 0, 0, 1>>);
static_assert(std::is_same_v<decltype(represent<std::minstd_rand>::type::x), std::uint32_t>);
static_assert(std::is_same_v<decltype(represent<short_one>::type::x), std::uint32_t>);
static_assert(std::is_same_v<decltype(represent<knuth>::type::x), std::uint64_t>);
}  // namespace

TEST_CASE_TEMPLATE("a linear congruential engine resumes after every draw", E, std::minstd_rand0, std::minstd_rand, knuth, ansi, randu, short_one, to_zero) {
  const resume::hostile_locale hostile;
  E original(1);
  for (int drawn = 0; drawn < 200; ++drawn, original()) {
    E resumed(7);
    resumed.discard(5);
    resume::restore(resumed, resume::saved(original));
    REQUIRE(resumed == original);
    REQUIRE(resume::saved(resumed) == resume::saved(original));
    E expected = original;
    for (int draw = 0; draw < 10; ++draw) REQUIRE(resumed() == expected());
  }
}

TEST_CASE_TEMPLATE("what is saved of a linear congruential engine is the number that it prints", E, std::minstd_rand0, std::minstd_rand, knuth, short_one) {
  E engine(123);
  for (int drawn = 0; drawn < 20; ++drawn, engine()) CHECK(resume::saved(engine).x == detail::congruential<E>::in_text(engine));
}

TEST_CASE("a resumed minstd_rand0 and minstd_rand give the standard's 10000th number") {
  std::minstd_rand0 a, a_resumed(5);
  a.discard(4000);
  resume::restore(a_resumed, resume::saved(a));
  a_resumed.discard(5999);
  CHECK(a_resumed() == 1043618065);
  std::minstd_rand b, b_resumed(5);
  b.discard(4000);
  resume::restore(b_resumed, resume::saved(b));
  b_resumed.discard(5999);
  CHECK(b_resumed() == 399268537);
}

TEST_CASE("a number that a linear congruential engine never holds is refused, and the engine stays as it was") {
  std::minstd_rand engine(9);
  for (const std::uint32_t x : {0u, 2147483647u, 2147483648u, 4294967295u}) CHECK(resume::refused_field(engine, represent<std::minstd_rand>::type{x}) == "x");
  for (const std::uint32_t x : {1u, 2147483646u}) CHECK(resume::refused_field(engine, represent<std::minstd_rand>::type{x}) == "accepted");
  short_one small(9);
  CHECK(resume::refused_field(small, represent<short_one>::type{65536}) == "x");
  CHECK(resume::refused_field(small, represent<short_one>::type{65535}) == "accepted");
  CHECK(resume::refused_field(small, represent<short_one>::type{0}) == "accepted");  // 0 -> 74 -> ...
  randu even(9);
  CHECK(resume::refused_field(even, represent<randu>::type{0}) == "x");
  knuth large(9);
  for (const std::uint64_t x : {std::uint64_t{0}, ~std::uint64_t{0}}) CHECK(resume::refused_field(large, represent<knuth>::type{x}) == "accepted");
}

TEST_CASE("a linear congruential engine is known by its parameters") {
  CHECK(represent<std::minstd_rand0>::name() == "minstd_rand0");
  CHECK(represent<std::minstd_rand>::name() == "minstd_rand");
  CHECK(represent<std::linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>>::name() == "minstd_rand");
  CHECK(represent<knuth>::name() == "linear_congruential<6364136223846793005,1442695040888963407,18446744073709551616>");
  CHECK(represent<short_one>::name() == "linear_congruential<75,74,65536>");
  CHECK(represent<std::linear_congruential_engine<std::uint64_t, 75, 74, 65536>>::name() == "linear_congruential<75,74,65536>");
}
