// SPDX-License-Identifier: BSL-1.0
// archive/buckets.hpp: how many buckets unordered containers may have, which cost memory and nothing in a file (floor: archive).
#ifndef TIDEMARK_ARCHIVE_BUCKETS_HPP
#define TIDEMARK_ARCHIVE_BUCKETS_HPP

#include <cstdint>

namespace tidemark::detail {

/// What the order of an unordered container needs: as many buckets as it had. So many are in proportion to what it holds; those above
/// are taken from what all containers of an archive share, lest many small ones ask for a lot each.
constexpr std::uint64_t proportional_buckets(std::uint64_t containers, std::uint64_t elements) noexcept { return 64 * (containers + elements); }
inline constexpr std::uint64_t shared_buckets = std::uint64_t{1} << 22;
/// Inside a packed value each container has its own instead: it cannot see the others.
inline constexpr std::uint64_t spare_packed_buckets = 1024;

inline constexpr float min_load_factor = 1.0F / 1024;

/// Takes the buckets that are out of proportion from `spare`; false, and nothing taken, where these are too many.
constexpr bool take_buckets(std::uint64_t& spare, std::uint64_t buckets, std::uint64_t containers, std::uint64_t elements) noexcept {
  const std::uint64_t proportion = proportional_buckets(containers, elements);
  const std::uint64_t excess = buckets > proportion ? buckets - proportion : 0;
  if (excess > spare) return false;
  spare -= excess;
  return true;
}

}  // namespace tidemark::detail
#endif
