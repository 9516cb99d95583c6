// SPDX-License-Identifier: BSL-1.0
// openssl/sha256_sums.hpp: SHA-256 as a value of type `file_digest`, for options that take one (floor: openssl).
#ifndef TIDEMARK_OPENSSL_SHA256_SUMS_HPP
#define TIDEMARK_OPENSSL_SHA256_SUMS_HPP

#include <tidemark/openssl/sha256_hasher.hpp>
#include <tidemark/sink/file_digest.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace tidemark {

/// Lists files in "SHA256SUMS", for `sha256sum -c SHA256SUMS`.
inline file_digest sha256_sums() {
  return {.list_name = "SHA256SUMS", .start = [] {
            auto hasher = std::make_shared<detail::sha256_hasher>();
            return running_digest{.update = [hasher](std::span<const std::byte> bytes) { hasher->update(bytes); }, .finish = [hasher] { return hasher->finish(); }};
          }};
}

}  // namespace tidemark
#endif
