// SPDX-License-Identifier: BSL-1.0
// tests/rng/representation.test.cpp: which types of <random> are state, under which names, and how a refusal reads.
#include <tidemark/model/checkpointable.hpp>
#include <tidemark/rng/linear_congruential.hpp>
#include <tidemark/rng/mersenne_twister.hpp>
#include <tidemark/rng/normal_distribution.hpp>
#include <tidemark/rng/parameter_distributions.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __GLIBCXX__
#include <tr1/random>
#endif

using namespace tidemark;

namespace {

struct random_state {
  std::mt19937_64 engine;
  std::minstd_rand small;
  std::normal_distribution<float> noise;
  std::uniform_int_distribution<long> die;
  std::uniform_real_distribution<long double> angle;
  std::bernoulli_distribution keep;
};
static_assert(Checkpointable<random_state>);

// A device has no state; the rest keep more between two draws than their parameters, or have no exact encoding yet.
static_assert(!Checkpointable<std::random_device>);
static_assert(!Checkpointable<std::normal_distribution<long double>>);
static_assert(!Checkpointable<std::poisson_distribution<int>>);
static_assert(!Checkpointable<std::gamma_distribution<double>>);
static_assert(!Checkpointable<std::lognormal_distribution<double>>);
static_assert(!Checkpointable<std::discrete_distribution<int>>);
static_assert(!Checkpointable<std::piecewise_constant_distribution<double>>);
static_assert(!Checkpointable<std::ranlux24>);

// Another library's classes of the same names and members, and a user's own: only those of namespace std are taken for them.
struct my_twister : std::mt19937 {};
struct my_congruential : std::minstd_rand {};
struct my_normal : std::normal_distribution<float> {};
struct my_bernoulli : std::bernoulli_distribution {};
namespace another {
template <class T>
struct mersenne_twister_engine : std::mt19937 {};
template <class T>
struct linear_congruential_engine : std::minstd_rand {};
template <class T>
struct normal_distribution : std::normal_distribution<T> {};
template <class T>
struct uniform_int_distribution : std::uniform_int_distribution<T> {};
struct bernoulli_distribution : std::bernoulli_distribution {};
}  // namespace another

// Generators of a user, whose parameters are data, or are known only at run time: state like any other struct.
struct parameters_as_data {
  using result_type = std::uint64_t;
  std::uint64_t multiplier = 25214903917u, increment = 11, modulus = std::uint64_t{1} << 48, x = 1;
};
struct parameters_of_the_class {
  using result_type = std::uint64_t;
  [[maybe_unused]] static inline std::uint64_t multiplier = 25214903917u, increment = 11, modulus = std::uint64_t{1} << 48;
  std::uint64_t x = 1;
};
static_assert(Checkpointable<parameters_as_data> && Checkpointable<parameters_of_the_class>);

template <class... T>
inline constexpr bool none_is_standard =
    ((!detail::Twister<T> && !detail::CongruentialEngine<T> && !detail::NormalDistribution<T> && !detail::ParameterDistribution<T>) && ...);
static_assert(none_is_standard<parameters_as_data, parameters_of_the_class, my_twister, my_congruential, my_normal, my_bernoulli>);
static_assert(none_is_standard<another::mersenne_twister_engine<std::mt19937>, another::linear_congruential_engine<std::minstd_rand>>);
static_assert(none_is_standard<another::normal_distribution<float>, another::uniform_int_distribution<int>, another::bernoulli_distribution>);
static_assert(none_is_standard<int, std::mt19937&, const std::mt19937*, std::string, void, std::random_device>);
#ifdef __GLIBCXX__
static_assert(none_is_standard<std::tr1::mt19937, std::tr1::minstd_rand, std::tr1::normal_distribution<double>, std::tr1::bernoulli_distribution>);
static_assert(none_is_standard<std::tr1::geometric_distribution<int>, std::tr1::exponential_distribution<double>>);
static_assert(!Checkpointable<std::tr1::mt19937> && !Checkpointable<std::tr1::normal_distribution<double>> && !Checkpointable<std::tr1::bernoulli_distribution>);
#endif

// The name of every class of namespace std is asked for: this vector's has 20,000 letters.
template <class... Engines>
struct streams {
  int chosen;
};
template <std::size_t... I>
constexpr bool is_checkpointable(std::index_sequence<I...>) {
  return Checkpointable<std::vector<streams<std::conditional_t<(I < 1000), std::mt19937_64, void>...>>>;
}
static_assert(is_checkpointable(std::make_index_sequence<150>{}));

static_assert(detail::Twister<std::mt19937> && detail::CongruentialEngine<std::minstd_rand>);
static_assert(detail::NormalDistribution<std::normal_distribution<float>> && detail::ParameterDistribution<std::bernoulli_distribution>);

}  // namespace

TEST_CASE("the names of engines and distributions fit into a schema") {
  for (const std::string& name :
       {represent<std::mt19937>::name(), represent<std::mt19937_64>::name(), represent<std::minstd_rand>::name(),
        represent<std::linear_congruential_engine<unsigned, 69069, 1, 0>>::name(), represent<std::normal_distribution<float>>::name(),
        represent<std::uniform_int_distribution<int>>::name(), represent<std::uniform_real_distribution<double>>::name(),
        represent<std::bernoulli_distribution>::name(), represent<std::geometric_distribution<int>>::name(),
        represent<std::exponential_distribution<float>>::name(), represent<std::weibull_distribution<float>>::name(),
        represent<std::extreme_value_distribution<float>>::name(), represent<std::cauchy_distribution<float>>::name()}) {
    CAPTURE(name);
    CHECK(!name.empty());
    CHECK(name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.,:<>-") == std::string::npos);
  }
}

TEST_CASE("a refusal names the engine, the field, what was expected and what was found") {
  std::mt19937 engine;
  auto state = resume::saved(engine);
  state.position = 700;
  try {
    resume::restore(engine, state);
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(std::string(e.what()) == "tidemark: cannot use the state of mt19937: tensor \"position\": outside the block; expected 0..623, found 700.");
  }
}
