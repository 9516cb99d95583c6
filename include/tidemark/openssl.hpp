// SPDX-License-Identifier: BSL-1.0
// openssl.hpp: SHA-256 of what is saved; needs OpenSSL's libcrypto (facade: includes only).
#ifndef TIDEMARK_OPENSSL_HPP
#define TIDEMARK_OPENSSL_HPP

#include <tidemark/openssl/sha256_sink.hpp>
#include <tidemark/openssl/sha256_sums.hpp>

#endif
