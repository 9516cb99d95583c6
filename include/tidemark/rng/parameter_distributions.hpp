// SPDX-License-Identifier: BSL-1.0
// rng/parameter_distributions.hpp: the distributions of <random> that are nothing but their parameters (floor: rng).
#ifndef TIDEMARK_RNG_PARAMETER_DISTRIBUTIONS_HPP
#define TIDEMARK_RNG_PARAMETER_DISTRIBUTIONS_HPP

#include <tidemark/core/dtype.hpp>
#include <tidemark/model/represent.hpp>
#include <tidemark/model/standard.hpp>
#include <tidemark/rng/checks.hpp>

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tidemark {

/// Two parameters, named a and b as in the standard.
template <class T>
struct ab_parameters {
  T a{}, b{};
  friend bool operator==(const ab_parameters&, const ab_parameters&) = default;
};

/// A probability.
struct p_parameter {
  double p = 0.5;
  friend bool operator==(const p_parameter&, const p_parameter&) = default;
};

/// A rate.
template <class T>
struct lambda_parameter {
  T lambda{1};
  friend bool operator==(const lambda_parameter&, const lambda_parameter&) = default;
};

namespace detail {

/// An integer type over which a distribution may be stored.
template <class T>
concept UniformInteger = std::integral<T> && !std::same_as<T, bool> && !std::same_as<std::remove_const_t<decltype(dtype_of<T>)>, no_dtype>;

template <std::floating_point T>
void require_number(std::string_view name, const char* field, T value) {
  if (is_nan(value)) refuse_random_state(name, field, "not a number", "a number", "NaN");
}

template <std::floating_point T>
void require_positive(std::string_view name, const char* field, T value) {
  require_number(name, field, value);
  if (!(value > 0)) refuse_random_state(name, field, "not positive", "more than 0", number_text(value));
}

template <class D>
auto parameters_of(const D& distribution) {
  if constexpr (requires { distribution.b(); }) return ab_parameters<typename D::result_type>{distribution.a(), distribution.b()};
  else if constexpr (requires { distribution.p(); }) return p_parameter{distribution.p()};
  else return lambda_parameter<typename D::result_type>{distribution.lambda()};
}

template <class D, class T>
void set_parameters(D& distribution, const ab_parameters<T>& value) { distribution.param(typename D::param_type(value.a, value.b)); }
template <class D>
void set_parameters(D& distribution, const p_parameter& value) { distribution.param(typename D::param_type(value.p)); }
template <class D, class T>
void set_parameters(D& distribution, const lambda_parameter<T>& value) { distribution.param(typename D::param_type(value.lambda)); }

/// `Rule` has `name`, in namespace std and in the schema, and `require(value)`, which throws `error` (`invalid_value`) where the standard's preconditions do not hold:
/// when saving, too, since what could not be restored should not wait for hour ten.
template <class D, class Rule>
struct stored_parameters {
  using type = decltype(parameters_of(std::declval<const D&>()));

  static std::string name() { return std::string(Rule::name); }
  static type snapshot(const D& distribution) {
    const type value = parameters_of(distribution);
    Rule::require(value);
    return value;
  }
  static void restore(D& distribution, const type& value) {
    Rule::require(value);
    set_parameters(distribution, value);
  }
};

struct uniform_int_rule {
  static constexpr std::string_view name = "uniform_int_distribution";
  template <class T>
  static void require(const ab_parameters<T>& value) {
    if (value.a <= value.b) return;
    refuse_random_state(name, "b", "an empty interval", "at least a = " + number_text(value.a), number_text(value.b));
  }
};

struct uniform_real_rule {
  static constexpr std::string_view name = "uniform_real_distribution";
  template <class T>
  static void require(const ab_parameters<T>& value) {
    if (!is_finite(value.a)) refuse_random_state(name, "a", "not finite", "a finite number", number_text(value.a));
    if (!is_finite(value.b)) refuse_random_state(name, "b", "not finite", "a finite number", number_text(value.b));
    if (!(value.a <= value.b)) {
      refuse_random_state(name, "b", "an empty interval", "at least a = " + number_text(value.a), number_text(value.b));
    }
    if (!is_finite(static_cast<T>(value.b - value.a))) {
      refuse_random_state(name, "b", "b - a is too large for the type", "at most " + number_text((std::numeric_limits<T>::max)()),
                          number_text(value.b) + " - " + number_text(value.a));
    }
  }
};

struct bernoulli_rule {
  static constexpr std::string_view name = "bernoulli_distribution";
  static void require(const p_parameter& value) {
    require_number(name, "p", value.p);
    if (!(value.p >= 0 && value.p <= 1)) refuse_random_state(name, "p", "not a probability", "0..1", number_text(value.p));
  }
};

struct geometric_rule {
  static constexpr std::string_view name = "geometric_distribution";
  static void require(const p_parameter& value) {
    require_number(name, "p", value.p);
    if (!(value.p > 0 && value.p < 1)) refuse_random_state(name, "p", "out of range", "more than 0, less than 1", number_text(value.p));
  }
};

struct exponential_rule {
  static constexpr std::string_view name = "exponential_distribution";
  template <class T>
  static void require(const lambda_parameter<T>& value) { require_positive(name, "lambda", value.lambda); }
};

struct weibull_rule {
  static constexpr std::string_view name = "weibull_distribution";
  template <class T>
  static void require(const ab_parameters<T>& value) {
    require_positive(name, "a", value.a);
    require_positive(name, "b", value.b);
  }
};

template <bool IsCauchy>
struct location_scale_rule {
  static constexpr std::string_view name = IsCauchy ? "cauchy_distribution" : "extreme_value_distribution";
  template <class T>
  static void require(const ab_parameters<T>& value) {
    require_number(name, "a", value.a);
    require_positive(name, "b", value.b);
  }
};

/// The rule of a distribution of namespace std, by its name: <random> is not included. `void` of any other class.
template <class D>
auto rule_of() {
  using T = typename D::result_type;
  constexpr std::string_view name = standard_name<D>();
  if constexpr (UniformInteger<T> && name == uniform_int_rule::name) return uniform_int_rule{};
  else if constexpr (std::floating_point<T> && name == uniform_real_rule::name) return uniform_real_rule{};
  else if constexpr (name == bernoulli_rule::name) return bernoulli_rule{};
  else if constexpr (UniformInteger<T> && name == geometric_rule::name) return geometric_rule{};
  else if constexpr (std::floating_point<T> && name == exponential_rule::name) return exponential_rule{};
  else if constexpr (std::floating_point<T> && name == weibull_rule::name) return weibull_rule{};
  else if constexpr (std::floating_point<T> && name == location_scale_rule<false>::name) return location_scale_rule<false>{};
  else if constexpr (std::floating_point<T> && name == location_scale_rule<true>::name) return location_scale_rule<true>{};
  else return;
}

template <class D>
concept ParameterDistribution = standard_name<D>().ends_with("_distribution") && !std::is_void_v<decltype(rule_of<D>())>;

}  // namespace detail

template <detail::ParameterDistribution D>
struct represent<D> : detail::stored_parameters<D, decltype(detail::rule_of<D>())> {};

}  // namespace tidemark
#endif
