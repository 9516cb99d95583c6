// SPDX-License-Identifier: BSL-1.0
// tests/sink/path.test.cpp: what counts as a path, and how one is split.
#include <tidemark/sink/path.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;

TEST_CASE("anything that is a path is taken as one") {
  CHECK(detail::path_text("a/b") == "a/b");
  CHECK(detail::path_text(std::string("a")) == "a");
  CHECK(detail::path_text(std::string_view("abc").substr(1)) == "bc");
  CHECK(detail::path_text(std::filesystem::path("x") / "y") == "x/y");
  static_assert(!detail::PathLike<int> && !detail::PathLike<std::vector<char>>);
}

TEST_CASE("a path splits into a folder that can be opened and a name") {
  const auto is = [](const char* path, const char* folder, const char* base) {
    const auto parts = detail::split(path);
    CHECK(parts.folder == folder);
    CHECK(parts.base == base);
  };
  is("a", ".", "a");
  is("a/b", "a", "b");
  is("/a", "/", "a");
  is("//a", "/", "a");
  is("a//b", "a/", "b");
  is("a/", "a", "");
  is("./a", ".", "a");
}

TEST_CASE("a path that names nothing, or something else than it seems to, is refused") {
  CHECK(scratch::code_of([] { detail::refuse_unusable_path(""); }) == "not_found");
  CHECK(scratch::code_of([] { detail::refuse_unusable_path(std::string("a\0b", 3)); }) == "unsafe_path");
  CHECK(scratch::code_of([] { detail::refuse_unusable_path(std::string("a\0", 2)); }) == "unsafe_path");
  CHECK(scratch::code_of([] { detail::refuse_unusable_path("a b\n"); }) == "success");
}
