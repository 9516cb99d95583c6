// SPDX-License-Identifier: BSL-1.0
// rng/twister_words.hpp: the recurrence of a Mersenne twister, forwards and backwards, over a plain block of words (floor: rng).
#ifndef TIDEMARK_RNG_TWISTER_WORDS_HPP
#define TIDEMARK_RNG_TWISTER_WORDS_HPP

#include <tidemark/model/standard.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tidemark {

/// The state of a Mersenne twister: its last `N` words in a circular buffer, the same from every standard library.
///
/// `state[j]` is the newest generated word whose index is j modulo N; `position` is the index of the word that the next step
/// replaces. So words [0, position) are of the current generation, [position, N) of the one before.
template <class Word, std::size_t N>
struct mersenne_twister_state {
  std::array<Word, N> state{};
  std::uint64_t position = 0;  ///< below N

  friend bool operator==(const mersenne_twister_state&, const mersenne_twister_state&) = default;
};

namespace detail {

/// A std::mersenne_twister_engine, known by its name, so that <random> is not included.
template <class E>
concept Twister = is_standard_named<E>("mersenne_twister_engine");

/// The recurrence of the engine `E`: X[i+n] = X[i+m] ^ twist(high bits of X[i], low bits of X[i+1]).
template <class E>
struct twister {
  static constexpr std::size_t w = E::word_size;
  static constexpr std::size_t n = E::state_size;
  static constexpr std::size_t m = E::shift_size;
  static constexpr std::size_t r = E::mask_bits;

  using word = std::conditional_t<(w <= 32), std::uint32_t, std::uint64_t>;
  using words = std::array<word, n>;
  using state = mersenne_twister_state<word, n>;

  static constexpr word ones(std::size_t bits) {
    return static_cast<word>(bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits));
  }
  static constexpr word all = ones(w);
  static constexpr word low = ones(r);
  static constexpr word high = all ^ low;
  static constexpr word matrix = static_cast<word>(E::xor_mask);

  /// A step can be undone when its matrix is regular, as it is for every twister of full period. With m < 2 or m == n
  /// the words of one step would depend on each other; with r as wide as the type libstdc++ shifts by all bits, which is undefined.
  static constexpr bool is_invertible =
      m >= 2 && m < n && r < std::numeric_limits<typename E::result_type>::digits && (matrix >> (w - 1)) == 1;

  static constexpr word twist(word from) noexcept { return static_cast<word>((from >> 1) ^ ((from & 1) != 0 ? matrix : 0)); }

  static constexpr word untwist(word to) noexcept {
    const bool was_odd = (to >> (w - 1)) != 0;
    return static_cast<word>((((to ^ (was_odd ? matrix : 0)) << 1) & all) | (was_odd ? 1 : 0));
  }

  static constexpr std::size_t wrap(std::size_t index) noexcept { return index < n ? index : index - n; }

  /// Makes the words [from, n), which are of the previous generation, words of the current one.
  static constexpr void advance(words& x, std::size_t from) noexcept {
    for (std::size_t k = from; k < n; ++k) {
      x[k] = x[wrap(k + m)] ^ twist(static_cast<word>((x[k] & high) | (x[wrap(k + 1)] & low)));
    }
  }

  /// What step `k` twisted: the high bits of word k and the low bits of word k + 1, of the previous generation.
  static constexpr word twisted_by(const words& x, std::size_t k) noexcept { return untwist(x[k] ^ x[wrap(k + m)]); }

  /// The inverse of `advance`, bit for bit; only the low bits of word 0, on which nothing that follows depends, become 0.
  static constexpr void rewind(words& x, std::size_t from) noexcept {
    if (from >= n) return;
    word here = twisted_by(x, n - 1);
    for (std::size_t k = n - 1; k > from; --k) {
      const word below = twisted_by(x, k - 1);
      x[k] = static_cast<word>((here & high) | (below & low));
      here = below;
    }
    const word below = from == 0 ? word{0} : twisted_by(x, from - 1);
    x[from] = static_cast<word>((here & high) | (below & low));
  }
};

/// A std::mersenne_twister_engine whose state can be written down.
template <class E>
concept RestorableTwister = Twister<E> && twister<E>::is_invertible;

}  // namespace detail
}  // namespace tidemark
#endif
