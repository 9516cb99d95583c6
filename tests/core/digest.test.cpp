// SPDX-License-Identifier: BSL-1.0
// core/digest.test.cpp: XXH3-128 against values that Python's xxhash gives.
#include <tidemark/core/digest.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tidemark;

namespace {

std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
  return bytes;
}

}  // namespace

TEST_CASE("digests are those of xxhash, in the byte order in which it prints them") {
  // python: xxhash.xxh3_128(b"...").hexdigest(), version 3
  CHECK(to_hex(detail::digest_of({})) == "99aa06d3014798d86001c324468d497f");
  CHECK(to_hex(detail::digest_of(detail::bytes_of("tidemark"))) == "4cee4796e60b0c9e327e5f0227a23053");
  CHECK(to_hex(detail::digest_of(pattern(1000))) == "5ed35fc6b4f0ef20d1eb8367bf3294e7");
  CHECK(detail::hash64("tidemark") == 0x1ad33d63e54a5581u);
}

TEST_CASE("bytes in pieces have the digest of the whole, wherever they are cut") {
  const auto bytes = pattern(2000);
  const detail::bytes_view all(bytes);
  const auto whole = detail::digest_of(all);
  detail::hasher hash;
  for (std::size_t cut = 0; cut <= all.size(); cut += cut < 300 ? 1 : 37) {
    hash.reset();
    hash.update(all.first(cut));
    hash.update(all.subspan(cut));
    REQUIRE(hash.finish() == whole);
  }
}

TEST_CASE("every single bit flip of a block changes its digest") {
  auto bytes = pattern(700);
  const auto whole = detail::digest_of(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    REQUIRE(detail::digest_of(bytes) != whole);
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
}
