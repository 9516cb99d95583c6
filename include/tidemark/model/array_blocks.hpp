// SPDX-License-Identifier: BSL-1.0
// model/array_blocks.hpp: an array in memory that the processor cannot address, reached through functions (floor: model).
#ifndef TIDEMARK_MODEL_ARRAY_BLOCKS_HPP
#define TIDEMARK_MODEL_ARRAY_BLOCKS_HPP

#include <tidemark/model/array_ref.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tidemark {

/// `Rank` extents of numbers in memory that the processor cannot address, such as a device's: saved and restored as an array_ref is,
/// through a buffer, block by block and in order. `read` fills the bytes at an offset; `write` puts them there. An exception from either ends the operation: from `write`
/// when a restore has begun to change its target, it is reported as partly_restored.
template <class T, std::size_t Rank = 1>
struct array_blocks {
  using element_type = T;
  static constexpr std::size_t rank = Rank;

  std::array<std::size_t, Rank> shape{};
  std::function<void(std::uint64_t offset, std::span<std::byte> into)> read{};
  std::function<void(std::uint64_t offset, std::span<const std::byte> from)> write{};
};

namespace detail {

template <class T, std::size_t Rank>
struct borrowed_array<array_blocks<T, Rank>> {
  static constexpr bool is = true;
  using element = T;
  static constexpr std::size_t rank = Rank;
  static std::array<std::uint64_t, Rank> shape(const array_blocks<T, Rank>& a) {
    std::array<std::uint64_t, Rank> all{};
    for (std::size_t i = 0; i < Rank; ++i) all[i] = a.shape[i];
    return all;
  }
};
}  // namespace detail
}  // namespace tidemark
#endif
