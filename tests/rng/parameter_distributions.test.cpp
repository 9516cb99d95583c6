// SPDX-License-Identifier: BSL-1.0
// tests/rng/parameter_distributions.test.cpp: what a user of the distributions without hidden state may rely on.
#include <tidemark/rng/parameter_distributions.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace tidemark;

namespace {

template <class D>
void resumes(const D& original) {
  CAPTURE(represent<D>::name());
  D resumed;
  const auto state = resume::saved(original);
  resume::restore(resumed, state);
  CHECK(resumed == original);
  CHECK(resume::saved(resumed) == state);
  D expected = original;
  std::mt19937_64 a(1), b(1);
  for (int draw = 0; draw < 100; ++draw) REQUIRE(resumed(a) == expected(b));
}

/// Saved after odd counts of draws, too: nothing is kept back between two of them.
template <class D>
void keeps_nothing_back(D original) {
  std::mt19937_64 engine(1);
  for (int drawn = 0; drawn < 5; ++drawn, original(engine)) {
    D resumed;
    resume::restore(resumed, resume::saved(original));
    D expected = original;
    std::mt19937_64 a = engine, b = engine;
    for (int draw = 0; draw < 20; ++draw) REQUIRE(resumed(a) == expected(b));
    REQUIRE(a == b);
  }
}

template <class D>
concept HasRepresentation = detail::Represented<D>;
static_assert(HasRepresentation<std::uniform_int_distribution<short>> && HasRepresentation<std::uniform_int_distribution<unsigned long long>>);
static_assert(HasRepresentation<std::uniform_real_distribution<long double>>);

}  // namespace

TEST_CASE_TEMPLATE("a uniform_int_distribution resumes with any interval", T, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long) {
  using limits = std::numeric_limits<T>;
  using uniform = std::uniform_int_distribution<T>;
  resumes(uniform());
  resumes(uniform(3, 3));
  resumes(uniform(limits::min(), limits::max()));
  resumes(uniform(limits::max(), limits::max()));
  keeps_nothing_back(uniform(1, 6));
  uniform live(1, 6);
  CHECK(resume::refused_field(live, ab_parameters<T>{6, 5}) == "b");
  CHECK(resume::refused_field(live, ab_parameters<T>{limits::max(), limits::min()}) == "b");
}

TEST_CASE_TEMPLATE("distributions over real numbers resume with any parameters", T, float, double, long double) {
  using limits = std::numeric_limits<T>;
  for (const auto& original : {std::uniform_real_distribution<T>(), std::uniform_real_distribution<T>(-T(1) / 3, T(2) / 3), std::uniform_real_distribution<T>(0, limits::max()),
                               std::uniform_real_distribution<T>(limits::denorm_min(), limits::min()), std::uniform_real_distribution<T>(-T{0}, 1)}) {
    resumes(original);
    keeps_nothing_back(original);
  }
  keeps_nothing_back(std::exponential_distribution<T>(T(1) / 3));
  keeps_nothing_back(std::weibull_distribution<T>(T(1) / 3, T(2) / 3));
  keeps_nothing_back(std::extreme_value_distribution<T>(-T(1) / 3, T(2) / 3));
  keeps_nothing_back(std::cauchy_distribution<T>(-T(1) / 3, T(2) / 3));
  resumes(std::exponential_distribution<T>(limits::max()));
  resumes(std::weibull_distribution<T>(limits::max(), limits::min()));
  resumes(std::extreme_value_distribution<T>(limits::lowest(), limits::denorm_min()));
  resumes(std::cauchy_distribution<T>(limits::lowest(), limits::denorm_min()));
}

TEST_CASE("distributions with a probability resume, 0 and 1 included where the standard allows them") {
  for (const double p : {0.0, 1.0, 1.0 / 3, std::numeric_limits<double>::denorm_min()}) {
    resumes(std::bernoulli_distribution(p));
    keeps_nothing_back(std::bernoulli_distribution(p));
  }
  resumes(std::geometric_distribution<int>(1.0 / 3));
  keeps_nothing_back(std::geometric_distribution<std::int64_t>(0.01));
}

TEST_CASE_TEMPLATE("parameters outside the standard's preconditions are refused, and the distribution stays as it was", T, float, double, long double) {
  using limits = std::numeric_limits<T>;
  using pair = ab_parameters<T>;
  const T nan = limits::quiet_NaN(), infinity = limits::infinity();
  std::uniform_real_distribution<T> uniform(1, 2);
  for (const pair& bad : {pair{nan, 1}, pair{infinity, infinity}, pair{-infinity, 0}}) CHECK(resume::refused_field(uniform, bad) == "a");
  for (const pair& bad : {pair{1, nan}, pair{2, 1}, pair{0, infinity}, pair{limits::lowest(), limits::max()}}) CHECK(resume::refused_field(uniform, bad) == "b");
  std::exponential_distribution<T> exponential(1);
  std::weibull_distribution<T> weibull(1, 2);
  std::extreme_value_distribution<T> extreme(1, 2);
  std::cauchy_distribution<T> cauchy(1, 2);
  for (const T bad : {T{0}, -T{0}, T{-1}, nan, -infinity}) {
    CHECK(resume::refused_field(exponential, lambda_parameter<T>{bad}) == "lambda");
    CHECK(resume::refused_field(weibull, pair{bad, 1}) == "a");
    CHECK(resume::refused_field(weibull, pair{1, bad}) == "b");
    CHECK(resume::refused_field(extreme, pair{1, bad}) == "b");
    CHECK(resume::refused_field(cauchy, pair{1, bad}) == "b");
  }
  CHECK(resume::refused_field(extreme, pair{nan, 1}) == "a");
  CHECK(resume::refused_field(cauchy, pair{nan, 1}) == "a");
}

TEST_CASE("a number outside 0..1 is refused as a probability") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::bernoulli_distribution bernoulli(0.25);
  for (const double p : {-1e-300, 1.0000000000000002, nan, -1.0, std::numeric_limits<double>::infinity()}) CHECK(resume::refused_field(bernoulli, p_parameter{p}) == "p");
  std::geometric_distribution<int> geometric(0.25);
  for (const double p : {0.0, 1.0, -0.5, nan}) CHECK(resume::refused_field(geometric, p_parameter{p}) == "p");
}
