// SPDX-License-Identifier: BSL-1.0
// rng/mersenne_twister.hpp: std::mt19937, std::mt19937_64 and every other Mersenne twister as state that any standard library resumes (floor: rng).
#ifndef TIDEMARK_RNG_MERSENNE_TWISTER_HPP
#define TIDEMARK_RNG_MERSENNE_TWISTER_HPP

#include <tidemark/model/represent.hpp>
#include <tidemark/rng/checks.hpp>
#include <tidemark/rng/twister_access.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {
namespace detail {

/// All parameters, in the order of the standard.
template <class E>
std::string twister_name() {
  std::string text = "mersenne_twister<";
  for (const std::uint64_t parameter :
       {std::uint64_t{E::word_size}, std::uint64_t{E::state_size}, std::uint64_t{E::shift_size}, std::uint64_t{E::mask_bits},
        std::uint64_t{E::xor_mask}, std::uint64_t{E::tempering_u}, std::uint64_t{E::tempering_d}, std::uint64_t{E::tempering_s},
        std::uint64_t{E::tempering_b}, std::uint64_t{E::tempering_t}, std::uint64_t{E::tempering_c}, std::uint64_t{E::tempering_l},
        std::uint64_t{E::initialization_multiplier}}) {
    text += std::to_string(parameter) + ',';
  }
  text.back() = '>';
  return text;
}

/// What `twister_name` gives for std::mt19937 and std::mt19937_64, [rand.predef].
inline constexpr std::string_view mt19937_parameters =
    "mersenne_twister<32,624,397,31,2567483615,11,4294967295,7,2636928640,15,4022730752,18,1812433253>";
inline constexpr std::string_view mt19937_64_parameters =
    "mersenne_twister<64,312,156,31,13043109905998158313,29,6148914691236517205,17,8202884508482404352,37,18444473444759240704,43,"
    "6364136223846793005>";

/// "mt19937", "mt19937_64", or all parameters: the type that counts is the stream, not its C++ name.
template <class E>
std::string twister_tag() {
  static const std::string name = [] {
    const std::string full = twister_name<E>();
    return full == mt19937_parameters ? "mt19937" : full == mt19937_64_parameters ? "mt19937_64" : full;
  }();
  return name;
}

template <class E>
raw_twister<E> read_twister(const E& engine, twister_path path) {
  raw_twister<E> raw;
  if (path == twister_path::memory) {
    twister_memory<E>::read(engine, raw);
  } else if (!twister_text<E>::read(engine, raw)) {
    throw error({.code = errc::unsupported, .action = "save " + twister_tag<E>(),
                 .problem = "this standard library prints it in a form that is not known"});
  }
  return raw;
}

/// Throws `error` (`invalid_value`) unless some engine has this state.
template <class E>
void require_twister_state(const typename twister<E>::state& value) {
  using rule = twister<E>;
  if (value.position >= rule::n) {
    refuse_random_state(twister_tag<E>(), "position", "outside the block", "0.." + std::to_string(rule::n - 1), std::to_string(value.position));
  }
  const auto position = static_cast<std::size_t>(value.position);
  typename rule::word bits = 0;
  for (std::size_t i = 0; i < rule::n; ++i) bits |= value.state[i];
  if (bits > rule::all) {
    std::size_t i = 0;
    while (value.state[i] <= rule::all) ++i;
    refuse_random_state(twister_tag<E>(), "state", "word " + std::to_string(i) + " is too wide", "at most " + std::to_string(rule::w) + " bits",
                        std::to_string(value.state[i]));
  }
  bits = value.state[position] & rule::high;
  for (std::size_t i = 0; i < rule::n; ++i) bits |= i == position ? typename rule::word{0} : value.state[i];
  if (bits == 0) {
    refuse_random_state(twister_tag<E>(), "state", "an engine in this state returns the same value for ever", "a word that is not 0", "only zeros");
  }
  if (position != 0 && ((rule::twisted_by(value.state, position - 1) ^ value.state[position]) & rule::low) != 0) {
    refuse_random_state(twister_tag<E>(), "position", "does not belong to these words",
                        "word " + std::to_string(position - 1) + " to follow from word " + std::to_string(position), std::to_string(position));
  }
}

template <class E>
typename twister<E>::state snapshot_twister(const E& engine, twister_path path) {
  using rule = twister<E>;
  raw_twister<E> raw = read_twister(engine, path);
  if (raw.has_stray_bits) {
    refuse_random_state(twister_tag<E>(), "state", "the engine was read from a text with words that are too wide",
                        "at most " + std::to_string(rule::w) + " bits", "more");
  }
  typename rule::state value{raw.words, raw.position < rule::n ? raw.position : 0};
  if (twister_text<E>::form() == twister_form::block) rule::rewind(value.state, raw.position);
  require_twister_state<E>(value);  // what could not be restored is refused now, not at hour ten
  return value;
}

template <class E>
void restore_twister(E& engine, const typename twister<E>::state& value, twister_path path) {
  using rule = twister<E>;
  require_twister_state<E>(value);
  raw_twister<E> raw{value.state, static_cast<std::size_t>(value.position)};
  if (twister_text<E>::form() == twister_form::block) {
    if (raw.position == 0) raw.position = rule::n;  // the whole block is still to be twisted
    else rule::advance(raw.words, raw.position);
  }
  if (path == twister_path::memory) {
    twister_memory<E>::write(engine, raw);
  } else if (!twister_text<E>::write(engine, raw)) {
    throw error({.code = errc::unsupported, .action = "restore " + twister_tag<E>(),
                 .problem = "this standard library reads it in a form that is not known"});
  }
}

}  // namespace detail

/// The state of a Mersenne twister: `mersenne_twister_state` of 32-bit words for w <= 32, else of 64-bit ones.
///
/// The restored engine compares equal to the saved one at every position. Twisters whose step cannot be undone (m < 2, m == n, an
/// xor mask without its highest bit, r as wide as the type: none that is in use) have no representation.
/// Cost for an mt19937_64: about 0.5 us each way.
template <detail::RestorableTwister E>
struct represent<E> {
  using type = typename detail::twister<E>::state;

  static std::string name() { return detail::twister_tag<E>(); }
  static type snapshot(const E& engine) { return detail::snapshot_twister(engine, detail::proved_path<E>()); }
  static void restore(E& engine, const type& value) { detail::restore_twister(engine, value, detail::proved_path<E>()); }
};

}  // namespace tidemark
#endif
