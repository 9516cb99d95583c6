// SPDX-License-Identifier: BSL-1.0
// store/file_digests.test.cpp: digests by the position of a tensor in its file.
#include <tidemark/store/file_digests.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

TEST_CASE("a block that matches passes, another one is named with its place") {
  const std::vector<tensor_info> tensors{{"b", dtype::u8, {}, 0, 1}, {digests_name, dtype::u8, {}, 1, 64}, {"a", dtype::u8, {}, 65, 1}};
  digest_table table(tensors, std::vector<std::uint32_t>{2, 0});  // by name, without the digest tensor, wherever it lies
  table.block(0, 0) = digest_of(bytes_of("b"));
  table.block(2, 0) = digest_of(bytes_of("a"));
  const file_digests digests(table);
  for (const std::size_t at : {0u, 2u}) {
    CHECK_NOTHROW(digests.require(tensors[at], at, 0, digest_of(bytes_of(tensors[at].name))));
    try {
      digests.require(tensors[at], at, 0, digest_of(bytes_of("c")));
      FAIL("accepted");
    } catch (const error& e) {
      CHECK(e.tensor() == tensors[at].name);
      CHECK(std::string(e.what()).find("block 1 of 1 (bytes 0..0)") != std::string::npos);
    }
  }
  CHECK_FALSE(digests.empty());
  CHECK(file_digests{}.empty());
}
