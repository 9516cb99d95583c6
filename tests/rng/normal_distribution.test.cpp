// SPDX-License-Identifier: BSL-1.0
// tests/rng/normal_distribution.test.cpp: what a user of std::normal_distribution may rely on.
#include <tidemark/rng/normal_distribution.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tidemark;

namespace {

template <class T>
bool same_bits(T a, T b) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
}

template <class T>
std::vector<std::pair<T, T>> parameters() {
  using limits = std::numeric_limits<T>;
  return {{T{0}, T{1}}, {T(-3.25), T(0.1)}, {-T{0}, T{1}}, {limits::max(), limits::min()}, {limits::lowest(), limits::max()},
          {limits::denorm_min(), limits::denorm_min()}, {limits::infinity(), T{1}}, {T{0}, limits::infinity()}, {T(1) / 3, T(2) / 3}};
}

template <class D>
concept HasRepresentation = detail::Represented<D>;
static_assert(HasRepresentation<std::normal_distribution<float>> && HasRepresentation<std::normal_distribution<double>>);
static_assert(!HasRepresentation<std::normal_distribution<long double>>);

}  // namespace

TEST_CASE_TEMPLATE("a normal distribution resumes after odd and even counts of draws, whatever its parameters", T, float, double) {
  using normal = std::normal_distribution<T>;
  const resume::hostile_locale hostile;
  for (const auto& both : parameters<T>()) {
    const T mean = both.first, stddev = both.second;
    CAPTURE(mean);
    CAPTURE(stddev);
    std::mt19937_64 engine(1);
    normal original(mean, stddev);
    for (int drawn = 0; drawn < 9; ++drawn, original(engine)) {
      normal resumed(5, 5);
      std::mt19937_64 other(77);
      for (int draw = 0; draw <= drawn / 2; ++draw) resumed(other);  // with and without a value of its own
      const auto state = resume::saved(original);
      CHECK(state.has_cached == (drawn % 2 == 1));
      resume::restore(resumed, state);
      CHECK(resumed == original);
      CHECK(same_bits(resumed.mean(), mean));
      CHECK(same_bits(resumed.stddev(), stddev));
      CHECK(resume::saved(resumed) == state);
      normal expected = original;
      std::mt19937_64 a = engine, b = engine;
      for (int draw = 0; draw < 20; ++draw) REQUIRE(same_bits(resumed(a), expected(b)));
      CHECK(a == b);
    }
  }
}

TEST_CASE_TEMPLATE("every value that a normal distribution keeps back is saved and restored bit for bit", T, float, double) {
  std::mt19937_64 engine(3);
  for (int pair = 0; pair < 20000; ++pair) {
    std::normal_distribution<T> original, resumed;
    original(engine);
    const auto state = resume::saved(original);
    REQUIRE(state.has_cached);
    resume::restore(resumed, state);
    std::mt19937_64 unused(1), untouched(1);
    REQUIRE(same_bits(resumed(unused), original(unused)));
    REQUIRE(unused == untouched);
  }
}

TEST_CASE_TEMPLATE("a kept value of -0, or the smallest or largest that the libraries read, survives", T, float, double) {
  for (const T cached : {-T{0}, T{0}, std::numeric_limits<T>::min(), -std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(38.5), T(-1e-12)}) {
    std::normal_distribution<T> distribution(2, 3);
    resume::restore(distribution, normal_distribution_state<T>{T{2}, T{3}, true, cached});
    const auto state = resume::saved(distribution);
    CHECK(state.has_cached);
    CHECK(same_bits(state.cached, cached));
    std::mt19937 engine(1), untouched(1);
    CHECK(distribution(engine) == cached * 3 + 2);
    CHECK(engine == untouched);
  }
}

TEST_CASE_TEMPLATE("saving a normal distribution leaves it alone", T, float, double) {
  std::mt19937 engine(1);
  std::normal_distribution<T> distribution(1, 2);
  distribution(engine);
  const auto before = distribution;
  const auto state = resume::saved(distribution);
  CHECK(distribution == before);
  CHECK(state == resume::saved(distribution));
}

TEST_CASE_TEMPLATE("a state that no normal distribution has is refused, and the distribution stays as it was", T, float, double) {
  using state = normal_distribution_state<T>;
  using limits = std::numeric_limits<T>;
  std::mt19937 engine(1);
  std::normal_distribution<T> distribution(1, 2);
  for (int drawn = 0; drawn < 2; ++drawn, distribution(engine)) {
    for (const T stddev : {T{0}, -T{0}, T{-1}, -limits::infinity(), limits::quiet_NaN()}) {
      CHECK(resume::refused_field(distribution, state{0, stddev, false, 0}) == "stddev");
    }
    CHECK(resume::refused_field(distribution, state{limits::quiet_NaN(), 1, false, 0}) == "mean");
    for (const T cached : {limits::quiet_NaN(), limits::infinity(), -limits::infinity()}) {
      CHECK(resume::refused_field(distribution, state{0, 1, true, cached}) == "cached");
    }
    for (const T cached : {T{1}, -T{0}, limits::quiet_NaN()}) CHECK(resume::refused_field(distribution, state{0, 1, false, cached}) == "cached");
  }
}

TEST_CASE("a normal distribution that could not be restored is refused when it is saved") {
  const std::normal_distribution<double> diverged(std::numeric_limits<double>::quiet_NaN(), 1);
  CHECK_THROWS_AS(resume::saved(diverged), error);
}
