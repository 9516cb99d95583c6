// SPDX-License-Identifier: BSL-1.0
// rng/linear_congruential.hpp: std::minstd_rand0, std::minstd_rand and every other linear congruential engine, as its one number (floor: rng).
#ifndef TIDEMARK_RNG_LINEAR_CONGRUENTIAL_HPP
#define TIDEMARK_RNG_LINEAR_CONGRUENTIAL_HPP

#include <tidemark/model/represent.hpp>
#include <tidemark/model/standard.hpp>
#include <tidemark/rng/checks.hpp>
#include <tidemark/rng/engine_text.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace tidemark {

/// The state of x -> (a x + c) mod m.
template <class Word>
struct linear_congruential_state {
  Word x = 1;

  friend bool operator==(const linear_congruential_state&, const linear_congruential_state&) = default;
};

namespace detail {

/// By its arguments, since libc++ refuses to look into an engine modulo 1, which is none.
template <class E>
inline constexpr bool is_congruential = false;

template <template <class U, U, U, U> class Engine, class U, U a, U c, U m>
inline constexpr bool is_congruential<Engine<U, a, c, m>> = sizeof(U) <= 8 && m != 1;

/// A std::linear_congruential_engine, known by its name.
template <class E>
concept CongruentialEngine = is_standard_named<E>("linear_congruential_engine") && is_congruential<E>;

template <class E>
struct congruential {
  static constexpr std::uint64_t a = E::multiplier;
  static constexpr std::uint64_t c = E::increment;
  static constexpr std::uint64_t m = E::modulus;  ///< 0: one more than the largest value of the type

  static constexpr std::uint64_t largest = m == 0 ? (std::numeric_limits<typename E::result_type>::max)() : m - 1;
  using word = std::conditional_t<(largest <= 0xFFFFFFFFu), std::uint32_t, std::uint64_t>;

  static constexpr bool is_stuck_at_0 = m == 0 ? c == 0 : c % m == 0;
  /// A multiplier that shares a factor with m can lead to 0 from elsewhere.
  static constexpr bool reaches_0 = m == 0 ? a % 2 == 0 : std::gcd(a, m) != 1;

  static const std::string& name() {
    static const std::string text = [] {
      if (c == 0 && m == 2147483647 && (a == 16807 || a == 48271)) return std::string(a == 16807 ? "minstd_rand0" : "minstd_rand");
      const std::string modulus = largest == (std::numeric_limits<std::uint64_t>::max)() ? "18446744073709551616" : std::to_string(largest + 1);
      return "linear_congruential<" + std::to_string(a) + ',' + std::to_string(c) + ',' + modulus + '>';
    }();
    return text;
  }

  /// The number that the engine prints: both libraries keep it as their only member.
  static std::uint64_t read(const E& engine) {
    if constexpr (std::is_trivially_copyable_v<E> && sizeof(E) == sizeof(typename E::result_type)) {
      static const bool is_its_number = [] {
        E live(20);
        for (int draw = 0; draw < 3; ++draw, live()) {
          if (in_memory(live) != in_text(live)) return false;
        }
        return true;
      }();
      if (is_its_number) return in_memory(engine);
    }
    return in_text(engine);
  }

  static std::uint64_t in_memory(const E& engine) noexcept {
    typename E::result_type x;
    std::memcpy(&x, static_cast<const void*>(&engine), sizeof x);
    return x;
  }

  static std::uint64_t in_text(const E& engine) {
    const std::vector<std::uint64_t> numbers = numbers_of(engine);
    if (numbers.size() == 1) return numbers.front();
    throw error({.code = errc::unsupported, .action = "save " + name(), .problem = "this standard library prints it in a form that is not known"});
  }

  /// Throws `error` (`invalid_value`) unless some engine has this state.
  static void require(std::uint64_t x) {
    if (x > largest) refuse_random_state(name(), "x", "not below the modulus", "at most " + std::to_string(largest), std::to_string(x));
    if (x == 0 && is_stuck_at_0 && !reaches_0) {
      refuse_random_state(name(), "x", "an engine in this state returns 0 for ever", "at least 1", "0");
    }
  }
};

}  // namespace detail

/// The state of a linear congruential engine: its number, in 32 bits where the modulus allows it, else in 64.
template <detail::CongruentialEngine E>
struct represent<E> {
  using type = linear_congruential_state<typename detail::congruential<E>::word>;

  static std::string name() { return detail::congruential<E>::name(); }

  static type snapshot(const E& engine) {
    const std::uint64_t x = detail::congruential<E>::read(engine);
    detail::congruential<E>::require(x);
    return {static_cast<typename detail::congruential<E>::word>(x)};
  }

  static void restore(E& engine, const type& value) {
    detail::congruential<E>::require(value.x);
    if (value.x == 0 && detail::congruential<E>::is_stuck_at_0) {
      detail::read_numbers(engine, {0});  // seed(0) would mean 1
    } else {
      engine.seed(static_cast<typename E::result_type>(value.x));
    }
  }
};

}  // namespace tidemark
#endif
