// SPDX-License-Identifier: BSL-1.0
// tests/sink/mapped_file.test.cpp: what a user of mapped_file may rely on; what it shares with file_source is tested there.
#include <tidemark/sink/mapped_file.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <string>
#include <string_view>

using namespace tidemark;

TEST_CASE("a mapping shows the file in place, survives a replacement of the file, and moves") {
  scratch::folder folder;
  scratch::put(folder / "file", "old content");
  mapped_file first(folder / "file");
  const auto* address = first.bytes().data();
  mapped_file second = std::move(first);
  CHECK(second.bytes().data() == address);
  CHECK(first.bytes().empty());
  scratch::put(folder / "other", "new");
  scratch::fs::rename(folder / "other", folder / "file");
  CHECK(detail::text_of(second.bytes()) == "old content");
  second = mapped_file(folder / "file");
  CHECK(detail::text_of(second.bytes()) == "new");
}

TEST_CASE("a mapped_file holds no descriptor, and gives its mapping back once") {
  scratch::folder folder;
  scratch::put(folder / "file", "content");
  scratch::put(folder / "empty", "");
  const std::size_t before = scratch::open_descriptors();
  for (const char* name : {"file", "empty"}) {
    scripted::script script;
    {
      basic_mapped_file<scripted::ops> first(folder / name, scripted::ops{script});
      CHECK(scratch::open_descriptors() == before);
      basic_mapped_file<scripted::ops> second(std::move(first));
      first = std::move(second);
    }
    const auto names = script.names();
    const auto expected = std::string_view(name) == "file" ? 1 : 0;
    CHECK(std::count(names.begin(), names.end(), "mmap file") == expected);
    CHECK(std::count(names.begin(), names.end(), "munmap") == expected);
  }
}

TEST_CASE("a mapped_file copies out of its bytes, also those of an empty file") {
  scratch::folder folder;
  scratch::put(folder / "file", "content");
  const mapped_file source(folder / "file");
  CHECK(source.bytes().size() == source.size());
  std::string into(4, '?');
  source.read(3, std::as_writable_bytes(std::span(into)));
  CHECK(into == "tent");
  scratch::put(folder / "empty", "");
  const mapped_file empty(folder / "empty");
  CHECK(empty.size() == 0);
  CHECK(empty.bytes().empty());
  CHECK_NOTHROW(empty.read(0, {}));
}
