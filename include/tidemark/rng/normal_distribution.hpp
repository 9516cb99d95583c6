// SPDX-License-Identifier: BSL-1.0
// rng/normal_distribution.hpp: std::normal_distribution with the value that it keeps back between two draws (floor: rng).
#ifndef TIDEMARK_RNG_NORMAL_DISTRIBUTION_HPP
#define TIDEMARK_RNG_NORMAL_DISTRIBUTION_HPP

#include <tidemark/model/represent.hpp>
#include <tidemark/model/standard.hpp>
#include <tidemark/rng/checks.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace tidemark {

/// A normal distribution draws two standard normal values at a time and hands out the second one on the next call.
template <class T>
struct normal_distribution_state {
  T mean = 0;
  T stddev = 1;
  bool has_cached = false;
  T cached = 0;  ///< the value kept back, before it is scaled; 0 where there is none

  friend bool operator==(const normal_distribution_state&, const normal_distribution_state&) = default;
};

namespace detail {

/// A std::normal_distribution, known by its name. Of long double its cached value cannot be had exactly.
template <class D>
concept NormalDistribution = is_standard_named<D>("normal_distribution") &&
                             (std::same_as<typename D::result_type, float> || std::same_as<typename D::result_type, double>);

/// Counts its calls; its constant value lets every library's rejection loop end.
struct counting_engine {
  using result_type = std::uint32_t;
  static constexpr result_type (min)() { return 0; }
  static constexpr result_type (max)() { return 0xFFFFFFFFu; }
  result_type operator()() {
    ++calls;
    return 0x40000000u;
  }
  std::uint64_t calls = 0;
};

template <class T>
struct kept_back {
  bool is_present = false;
  T value = 0;

  bool is_same_as(const kept_back& other) const noexcept {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return is_present == other.is_present && std::bit_cast<bits>(value) == std::bit_cast<bits>(other.value);
  }
};

/// The value that the next call would only scale: that call, on a copy with mean -0 and deviation 1, since x * 1 + -0 is x for
/// every x, the negative zero too. A call that draws has kept nothing back.
template <class D, class T = typename D::result_type>
kept_back<T> kept_back_by(D distribution) {
  distribution.param(typename D::param_type(-T{0}, T{1}));
  counting_engine engine;
  const T value = distribution(engine);
  return engine.calls == 0 ? kept_back<T>{true, value} : kept_back<T>{};
}

/// A standard normal distribution that keeps `value` back. Both libraries read "mean deviation 1 value".
template <class D>
D keeping_back(typename D::result_type value) {
  std::istringstream text("0 1 1 " + number_text(value));
  text.imbue(std::locale::classic());
  D distribution;
  text >> distribution;
  return distribution;
}

template <class T>
void require_normal_state(const normal_distribution_state<T>& value) {
  constexpr std::string_view name = "normal_distribution";
  if (is_nan(value.mean)) refuse_random_state(name, "mean", "not a number", "a number", "NaN");
  if (is_nan(value.stddev) || !(value.stddev > 0)) {
    refuse_random_state(name, "stddev", "not positive", "more than 0", is_nan(value.stddev) ? "NaN" : number_text(value.stddev));
  }
  if (value.has_cached && !is_finite(value.cached)) refuse_random_state(name, "cached", "not finite", "a finite number", number_text(value.cached));
  if (!value.has_cached && !kept_back<T>{}.is_same_as({false, value.cached})) {
    refuse_random_state(name, "cached", "a value that has_cached denies", "0", number_text(value.cached));
  }
}

}  // namespace detail

/// The parameters and the cached value, bit for bit. The standard libraries turn equal draws into different normal values: a
/// state moves between them, the stream after it does not. `normal_distribution<long double>` has no representation: its cached
/// value cannot be had exactly.
template <detail::NormalDistribution D>
struct represent<D> {
  using type = normal_distribution_state<typename D::result_type>;

  static std::string name() { return "normal_distribution"; }

  static type snapshot(const D& distribution) {
    const auto kept = detail::kept_back_by(distribution);
    const type value{distribution.mean(), distribution.stddev(), kept.is_present, kept.value};
    detail::require_normal_state(value);
    return value;
  }

  static void restore(D& distribution, const type& value) {
    detail::require_normal_state(value);
    D restored;
    if (value.has_cached) restored = detail::keeping_back<D>(value.cached);
    if (!detail::kept_back_by(restored).is_same_as({value.has_cached, value.cached})) {
      detail::refuse_random_state(name(), "cached", "no value that this standard library can keep back", "a value that a normal draw gives",
                                  detail::number_text(value.cached));
    }
    restored.param(typename D::param_type(value.mean, value.stddev));
    distribution = restored;
  }
};

}  // namespace tidemark
#endif
