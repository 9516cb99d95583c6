// SPDX-License-Identifier: BSL-1.0
// tests/sink/file_output.test.cpp: bytes reach a file in order and in large pieces, however they come.
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/file_output.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;
using scratch::code_of;
using scratch::content;
using scratch::save_text;

TEST_CASE("pieces of every size arrive in order, whether they fit the buffer or not") {
  scratch::folder folder;
  const std::size_t buffer = std::size_t{1} << 20;
  const auto check = [&](std::size_t total, const std::vector<std::size_t>& pieces, std::uint64_t announced) {
    const std::string text = scratch::pattern(total);
    auto writer = atomic_file(folder / "file").open(announced);
    for (std::size_t at = 0, i = 0; at < total; ++i) {
      const std::size_t piece = std::min(pieces[i % pieces.size()], total - at);
      writer.write(detail::bytes_of(std::string_view(text).substr(at, piece)));
      writer.write({});
      at += piece;
    }
    writer.commit();
    CHECK((content(folder / "file") == text));
  };
  for (const std::size_t total : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, buffer - 1, buffer, buffer + 1, 3 * buffer + 17}) {
    for (const std::size_t piece : {std::size_t{999}, std::size_t{65536}, buffer - 1, buffer, buffer + 1, total}) {
      check(total, {piece}, total);
      check(total, {piece, 10, buffer, 5000}, total);
    }
    check(total, {7777}, 0);                // announced as nothing,
    check(total, {7777}, 10);               // as less,
    check(total, {7777}, total + 5000000);  // and as more
  }
}

TEST_CASE("small writes reach the system as few large ones, and what is large already is not copied together") {
  scratch::folder folder;
  const std::size_t buffer = std::size_t{1} << 20;
  const auto writes = [&](std::size_t total, std::size_t piece, std::uint64_t announced) {
    scripted::script script;
    script.keeps_bytes = true;
    auto writer = basic_atomic_file(folder / "file", {}, scripted::ops{script}).open(announced);
    const std::string text = scratch::pattern(total);
    for (std::size_t at = 0; at < total; at += piece) writer.write(detail::bytes_of(std::string_view(text).substr(at, piece)));
    writer.commit();
    std::vector<std::size_t> sizes;
    for (const auto& call : script.trace) {
      if (call.name == "write") sizes.push_back(call.bytes.size());
    }
    return sizes;
  };
  using list = std::vector<std::size_t>;
  CHECK(writes(5000, 10, 5000) == list{5000});
  CHECK(writes(5000, 10, 0) == list{5000});
  CHECK(writes(5000, 10, 20).size() <= 2);  // announced too low
  CHECK(writes(buffer, 1024, buffer) == list{buffer});
  CHECK(writes(3 * buffer, 1024, 3 * buffer) == list{buffer, buffer, buffer});
  CHECK(writes(3 * buffer, 3 * buffer, 3 * buffer) == list{3 * buffer});
  CHECK(writes(0, 1, 0).empty());
}

TEST_CASE("a file is as long as what was written, whatever was announced, and a size that no file has is refused") {
  scratch::folder folder;
  for (const std::uint64_t announced : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5000000}}) {
    auto writer = atomic_file(folder / "file").open(announced);
    writer.write(detail::bytes_of("12345"));
    writer.commit();
    CHECK(content(folder / "file") == "12345");
  }
  CHECK(code_of([&] { atomic_file(folder / "huge").open(std::uint64_t{1} << 63); }) == "io");
  CHECK(folder.entries() == 1);
}
