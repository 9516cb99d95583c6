// SPDX-License-Identifier: BSL-1.0
// core/digest.hpp: XXH3-128 over bytes, and a 64-bit hash for tables; the only file that knows xxHash (floor: core).
#ifndef TIDEMARK_CORE_DIGEST_HPP
#define TIDEMARK_CORE_DIGEST_HPP

#include <tidemark/core/bytes.hpp>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tidemark {

/// An XXH3-128 value in its canonical (big-endian) byte order, the order in which `xxhsum` and Python's `xxhash` print it.
struct digest128 {
  std::array<std::byte, 16> bytes{};

  friend bool operator==(const digest128&, const digest128&) = default;
};

/// 32 lower-case hexadecimal digits.
inline std::string to_hex(const digest128& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(32);
  for (const std::byte b : digest.bytes) {
    text += digits[std::to_integer<std::size_t>(b >> 4)];
    text += digits[std::to_integer<std::size_t>(b & std::byte{15})];
  }
  return text;
}

namespace detail {

inline digest128 canonical(XXH128_hash_t hash) noexcept {
  XXH128_canonical_t out;
  XXH128_canonicalFromHash(&out, hash);
  digest128 digest;
  std::memcpy(digest.bytes.data(), out.digest, 16);
  return digest;
}

/// XXH3-128 of the whole of `bytes`. Linear time, no allocation.
inline digest128 digest_of(bytes_view bytes) noexcept { return canonical(XXH3_128bits(bytes.data(), bytes.size())); }

/// For tables in memory. A seed that a file's author cannot know keeps chosen names from falling into one place.
inline std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) noexcept { return XXH3_64bits_withSeed(text.data(), text.size(), seed); }

/// XXH3-128 of bytes that arrive in pieces.
class hasher {
 public:
  hasher() noexcept { reset(); }
  void reset() noexcept { XXH3_128bits_reset(&state_); }
  void update(bytes_view bytes) noexcept { XXH3_128bits_update(&state_, bytes.data(), bytes.size()); }
  digest128 finish() const noexcept { return canonical(XXH3_128bits_digest(&state_)); }

 private:
  XXH3_state_t state_;
};

}  // namespace detail
}  // namespace tidemark
#endif
