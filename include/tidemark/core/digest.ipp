// SPDX-License-Identifier: BSL-1.0
// core/digest.ipp: the definitions of digest.hpp (floor: core).
#ifndef TIDEMARK_CORE_DIGEST_IPP
#define TIDEMARK_CORE_DIGEST_IPP

#include <tidemark/core/digest.hpp>

#include <tidemark/core/linkage.hpp>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstring>
#include <type_traits>

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::string to_hex(const digest128& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(32);
  for (const std::byte b : digest.bytes) {
    text += digits[std::to_integer<std::size_t>(b >> 4)];
    text += digits[std::to_integer<std::size_t>(b & std::byte{15})];
  }
  return text;
}

}  // namespace tidemark

namespace tidemark::detail {

inline digest128 canonical(XXH128_hash_t hash) noexcept {
  XXH128_canonical_t out;
  XXH128_canonicalFromHash(&out, hash);
  digest128 digest;
  std::memcpy(digest.bytes.data(), out.digest, 16);
  return digest;
}

TIDEMARK_DETAIL_INLINE digest128 digest_of(bytes_view bytes) noexcept { return canonical(XXH3_128bits(bytes.data(), bytes.size())); }

TIDEMARK_DETAIL_INLINE std::uint64_t hash64(std::string_view text, std::uint64_t seed) noexcept { return XXH3_64bits_withSeed(text.data(), text.size(), seed); }

static_assert(sizeof(hasher) == sizeof(XXH3_state_t) && alignof(hasher) >= alignof(XXH3_state_t) && std::is_trivially_copyable_v<XXH3_state_t>,
              "tidemark: hasher reserves the room of an XXH3_state_t of xxHash 0.8");

TIDEMARK_DETAIL_INLINE void hasher::reset() noexcept { XXH3_128bits_reset(reinterpret_cast<XXH3_state_t*>(state_)); }

TIDEMARK_DETAIL_INLINE void hasher::update(bytes_view bytes) noexcept {
  XXH3_128bits_update(reinterpret_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}

TIDEMARK_DETAIL_INLINE digest128 hasher::finish() const noexcept {
  return canonical(XXH3_128bits_digest(reinterpret_cast<const XXH3_state_t*>(state_)));
}

}  // namespace tidemark::detail
#endif
