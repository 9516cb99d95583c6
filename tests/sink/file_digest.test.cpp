// SPDX-License-Identifier: BSL-1.0
// tests/sink/file_digest.test.cpp: a digest of files is a value that anyone can make.
#include <tidemark/sink/file_digest.hpp>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>

using namespace tidemark;

TEST_CASE("a file digest starts digests that know nothing of each other, and is nothing by default") {
  const file_digest sums{.list_name = "SUMS", .start = [] {
    auto sum = std::make_shared<unsigned>(0);
    return running_digest{.update = [sum](std::span<const std::byte> bytes) { for (const std::byte b : bytes) *sum += std::to_integer<unsigned>(b); },
                          .finish = [sum] { return std::to_string(*sum); }};
  }};
  const std::array<std::byte, 2> bytes{std::byte{3}, std::byte{4}};
  auto first = sums.start(), second = sums.start();
  first.update(bytes);
  second.update(std::span(bytes).first(1));
  first.update(bytes);
  CHECK(first.finish() == "14");
  CHECK(second.finish() == "3");
  const file_digest none;
  CHECK((none.list_name.empty() && !none.start));
}
