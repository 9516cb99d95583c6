// SPDX-License-Identifier: BSL-1.0
// rng/twister_access.hpp: reads and writes the words of a live Mersenne twister, in memory where that is proved right, else as text (floor: rng).
#ifndef TIDEMARK_RNG_TWISTER_ACCESS_HPP
#define TIDEMARK_RNG_TWISTER_ACCESS_HPP

#include <tidemark/rng/engine_text.hpp>
#include <tidemark/rng/twister_words.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tidemark::detail {

/// How a standard library keeps the words.
enum class twister_form : std::uint8_t {
  block,  ///< libstdc++: the whole current generation, and how many of its words were handed out (0..n)
  ring,   ///< libc++: the circular buffer of `mersenne_twister_state`
};

/// Words as the library holds them.
template <class E>
struct raw_twister {
  typename twister<E>::words words;
  std::size_t position;
  bool has_stray_bits = false;  ///< some word has bits above `w`, which text can put there
};

/// The engine as memory: n words of its result type, then the position. Right only where `twister_layout` says so.
template <class E>
struct twister_memory {
  using element = typename E::result_type;
  static constexpr std::size_t n = E::state_size;
  static constexpr std::size_t position_offset = (n * sizeof(element) + alignof(std::size_t) - 1) / alignof(std::size_t) * alignof(std::size_t);
  static constexpr bool is_possible = std::is_trivially_copyable_v<E> && sizeof(E) == position_offset + sizeof(std::size_t) &&
                                      alignof(E) >= alignof(std::size_t);

  static void read(const E& engine, raw_twister<E>& raw) noexcept {
    using word = typename twister<E>::word;
    const auto* from = reinterpret_cast<const unsigned char*>(&engine);
    element stray = 0;
    for (std::size_t i = 0; i < n; ++i) {
      element x;
      std::memcpy(&x, from + i * sizeof(element), sizeof(element));
      stray = static_cast<element>(stray | x);
      raw.words[i] = static_cast<word>(x);
    }
    raw.has_stray_bits = stray > twister<E>::all;
    std::memcpy(&raw.position, from + position_offset, sizeof(std::size_t));
  }

  static void write(E& engine, const raw_twister<E>& raw) noexcept {
    auto* to = reinterpret_cast<unsigned char*>(&engine);
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<element>(raw.words[i]);
      std::memcpy(to + i * sizeof(element), &x, sizeof(element));
    }
    std::memcpy(to + position_offset, &raw.position, sizeof(std::size_t));
  }
};

/// The engine as text: "words position" for a block; the words, oldest first, for a ring.
template <class E>
struct twister_text {
  static constexpr std::size_t n = E::state_size;

  static twister_form form() {
    static const twister_form found = numbers_of(E{}).size() == n ? twister_form::ring : twister_form::block;
    return found;
  }

  /// False where the text is of neither form.
  static bool read(const E& engine, raw_twister<E>& raw) {
    const std::vector<std::uint64_t> numbers = numbers_of(engine);
    if (numbers.size() != n + (form() == twister_form::block ? 1 : 0)) return false;
    raw.has_stray_bits = false;
    for (std::size_t i = 0; i < n; ++i) {
      raw.words[i] = static_cast<typename twister<E>::word>(numbers[i]);
      raw.has_stray_bits = raw.has_stray_bits || numbers[i] > twister<E>::all;
    }
    raw.position = form() == twister_form::block ? static_cast<std::size_t>(numbers[n]) : 0;
    return true;
  }

  static bool write(E& engine, const raw_twister<E>& raw) {
    std::vector<std::uint64_t> numbers(raw.words.begin(), raw.words.end());
    if (form() == twister_form::block) numbers.push_back(raw.position);
    else std::rotate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(raw.position), numbers.end());
    return read_numbers(engine, numbers);
  }
};

/// Whether memory, on engines that ran over block boundaries, said what the text operators say, and wrote what they hold.
template <class E>
bool memory_agrees_with_text() {
  constexpr std::size_t n = E::state_size;
  for (const std::size_t drawn : {std::size_t{0}, std::size_t{1}, n / 2, n - 1, n, n + 1, 2 * n + 3}) {
    E live(static_cast<typename E::result_type>(20 + drawn));
    live.discard(drawn);
    raw_twister<E> memory, text;
    twister_memory<E>::read(live, memory);
    if (!twister_text<E>::read(live, text) || memory.has_stray_bits || text.has_stray_bits) return false;
    if (twister_text<E>::form() == twister_form::ring) {
      if (memory.position >= n) return false;
      std::rotate(text.words.begin(), text.words.end() - static_cast<std::ptrdiff_t>(memory.position), text.words.end());
      text.position = memory.position;
    }
    if (memory.words != text.words || memory.position != text.position) return false;
    E written(static_cast<typename E::result_type>(7));
    twister_memory<E>::write(written, memory);
    if (!(written == live)) return false;
  }
  return true;
}

/// Ways to the words of an engine.
enum class twister_path : std::uint8_t { memory, text };

/// `memory` where it was proved, once in a process for each type of engine (about 0.3 ms); `text` under any other library.
template <class E>
twister_path proved_path() {
  if constexpr (twister_memory<E>::is_possible) {
    static const bool agrees = memory_agrees_with_text<E>();
    return agrees ? twister_path::memory : twister_path::text;
  } else {
    return twister_path::text;
  }
}

}  // namespace tidemark::detail
#endif
