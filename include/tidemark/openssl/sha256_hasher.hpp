// SPDX-License-Identifier: BSL-1.0
// openssl/sha256_hasher.hpp: SHA-256 of bytes that come in pieces, by OpenSSL's EVP (floor: openssl).
#ifndef TIDEMARK_OPENSSL_SHA256_HASHER_HPP
#define TIDEMARK_OPENSSL_SHA256_HASHER_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tidemark::detail {

/// Movable. For one digest: `finish` ends it.
class sha256_hasher {
 public:
  /// Throws `unsupported` where this OpenSSL has no SHA-256.
  sha256_hasher() : context_(EVP_MD_CTX_new()) { require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }

  void update(bytes_view bytes) { require(context_ != nullptr && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

  /// 64 lower-case hexadecimal digits, as `sha256sum` prints them.
  std::string finish() {
    std::array<unsigned char, 32> digest{};
    unsigned size = 0;
    require(context_ != nullptr && EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1 && size == digest.size());
    context_.reset();  // OpenSSL would give a second answer, and a wrong one
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) (text += digits[byte >> 4]) += digits[byte & 15];
    return text;
  }

 private:
  struct free_context {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };

  static void require(bool succeeded) {
    if (succeeded) return;
    throw error({.code = errc::unsupported, .problem = "OpenSSL could not compute a SHA-256 digest", .advice = "Its configuration may forbid it."});
  }

  std::unique_ptr<EVP_MD_CTX, free_context> context_;
};

}  // namespace tidemark::detail
#endif
