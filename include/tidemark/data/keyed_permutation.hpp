// SPDX-License-Identifier: BSL-1.0
// data/keyed_permutation.hpp: a shuffled order as a function, so that any position costs the same and nothing is stored (floor: data).
#ifndef TIDEMARK_DATA_KEYED_PERMUTATION_HPP
#define TIDEMARK_DATA_KEYED_PERMUTATION_HPP

#include <tidemark/core/host_device.hpp>

#include <cstdint>

namespace tidemark::detail {

/// Output number `index` of a SplitMix64 generator whose state is `state`: Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014, with the finalizer Mix13 of David Stafford.
TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t splitmix(std::uint64_t state, std::uint64_t index) noexcept {
  std::uint64_t z = state + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A permutation of [0, size), chosen by (seed, epoch); the algorithm is part of the promise of `shuffled_sampler.1`.
///
/// A generalised Feistel network with cycle walking: Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
/// An index is split into `left` (its low `bits` bits) and `right` (the rest, below `rows`); even rounds add a function of `right`
/// to `left` modulo 2^bits, odd rounds one of `left` to `right` modulo `rows`. The domain 2^bits * rows is the smallest that
/// holds `size`, so that fewer than one index in two (one in sqrt(size) for large sizes) must walk on.
/// Round i draws F(x) = splitmix(splitmix(key, i), x), where key = splitmix(splitmix(0, seed), epoch): hashed one after the other,
/// since a sum would make epoch e + 1 of seed s the same as epoch e of seed s + 1.
///
/// Two rounds multiply what is left of the structure by about 1 / rows: 12 rounds leave nothing measurable for large sizes;
/// small sizes take 32.
struct keyed_permutation {
  std::uint64_t size = 0;
  std::uint64_t key = 0;
  std::uint64_t rows = 0;
  std::uint32_t bits = 0;
  std::uint32_t rounds = 0;

  constexpr keyed_permutation() = default;

  /// `size` is at least 1.
  TIDEMARK_DETAIL_HOST_DEVICE constexpr keyed_permutation(std::uint64_t size_, std::uint64_t seed, std::uint64_t epoch) noexcept
      : size(size_), key(splitmix(splitmix(0, seed), epoch)), rounds(size_ <= 256 ? 32 : 12) {
    while (bits < 32 && (size - 1) >> (2 * bits) != 0) ++bits;
    rows = ((size - 1) >> bits) + 1;
  }

  /// The index at `position`, both below `size`. Constant expected time.
  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t operator()(std::uint64_t position) const noexcept {
    do position = forward(position);
    while (position >= size);
    return position;
  }

  /// The position at which `index` comes.
  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t inverse(std::uint64_t index) const noexcept {
    do index = backward(index);
    while (index >= size);
    return index;
  }

 private:
  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t mask() const noexcept { return (std::uint64_t{1} << bits) - 1; }

  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t draw(std::uint32_t round, std::uint64_t half) const noexcept {
    return splitmix(splitmix(key, round), half);
  }

  /// floor(draw * rows / 2^64); `rows` is at most 2^32, so that no sum here overflows.
  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t draw_row(std::uint32_t round, std::uint64_t left) const noexcept {
    const std::uint64_t hash = draw(round, left);
    return ((hash >> 32) * rows + ((hash & 0xFFFFFFFFu) * rows >> 32)) >> 32;
  }

  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t forward(std::uint64_t x) const noexcept {
    std::uint64_t left = x & mask(), right = x >> bits;
    for (std::uint32_t round = 0; round < rounds; round += 2) {
      left = (left + (draw(round, right) >> 32)) & mask();
      right += draw_row(round + 1, left);
      if (right >= rows) right -= rows;
    }
    return right << bits | left;
  }

  TIDEMARK_DETAIL_HOST_DEVICE constexpr std::uint64_t backward(std::uint64_t x) const noexcept {
    std::uint64_t left = x & mask(), right = x >> bits;
    for (std::uint32_t round = rounds; round > 0; round -= 2) {
      const std::uint64_t shift = draw_row(round - 1, left);
      right = right >= shift ? right - shift : right + rows - shift;
      left = (left - (draw(round - 2, right) >> 32)) & mask();
    }
    return right << bits | left;
  }
};

}  // namespace tidemark::detail
#endif
