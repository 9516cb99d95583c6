// SPDX-License-Identifier: BSL-1.0
// core/digest.hpp: XXH3-128 over bytes, and a 64-bit hash for tables; by xxHash, which only digest.ipp knows (floor: core).
#ifndef TIDEMARK_CORE_DIGEST_HPP
#define TIDEMARK_CORE_DIGEST_HPP

#include <tidemark/core/bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {

/// An XXH3-128 value in its canonical (big-endian) byte order, the order in which `xxhsum` and Python's `xxhash` print it.
struct digest128 {
  std::array<std::byte, 16> bytes{};

  friend bool operator==(const digest128&, const digest128&) = default;
};

/// 32 lower-case hexadecimal digits.
std::string to_hex(const digest128& digest);

namespace detail {

/// XXH3-128 of the whole of `bytes`. Linear time, no allocation.
digest128 digest_of(bytes_view bytes) noexcept;

/// For tables in memory. A seed that a file's author cannot know keeps chosen names from falling into one place.
std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) noexcept;

/// XXH3-128 of bytes that arrive in pieces.
class hasher {
 public:
  hasher() noexcept { reset(); }
  void reset() noexcept;
  void update(bytes_view bytes) noexcept;
  digest128 finish() const noexcept;

 private:
  alignas(64) std::byte state_[576];  // an XXH3_state_t
};

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/digest.ipp>
#endif
#endif
