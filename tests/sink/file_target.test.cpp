// SPDX-License-Identifier: BSL-1.0
// tests/sink/file_target.test.cpp: which places a save refuses, and where it goes through a symbolic link.
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/file_target.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <array>
#include <string>
#include <vector>

using namespace tidemark;
using scratch::code_of;
using scratch::content;
using scratch::save_text;

namespace {
constexpr std::array modes{file_mode::replace, file_mode::create_new};
}  // namespace

TEST_CASE("a place that cannot hold the file is refused by name, before a byte is written") {
  scratch::folder folder;
  const scratch::in_folder inside(folder.path());
  scratch::fs::create_directory("sub");
  scratch::put("file", "old");
  REQUIRE(::mkfifo("fifo", 0600) == 0);
  scratch::fs::create_symlink("file", "link");
  scratch::fs::create_symlink("nowhere", "dangling");
  const std::size_t entries = folder.entries();
  const std::size_t before = scratch::open_descriptors();
  struct row {
    std::string path, code, said;
  };
  const std::vector<row> table{
      {"", "not_found", "the path is empty"},
      {"missing/file", "not_found", "its folder \"missing\" could not be opened (No such file or directory).\n  Create the folder first."},
      {"file/inside", "not_found", "A part of the path is a file"},
      {"sub", "unsafe_path", "found a folder"},
      {"sub/", "unsafe_path", "the name of a folder"},
      {"file/", "not_found", "A part of the path is a file"},
      {".", "unsafe_path", "the name of a folder"},
      {"..", "unsafe_path", "the name of a folder"},
      {"sub/..", "unsafe_path", "the name of a folder"},
      {"/", "unsafe_path", "the name of a folder"},
      {"fifo", "unsafe_path", "found a pipe, socket or device"},
      {"/dev/null", "unsafe_path", "found a pipe, socket or device"},
      {"link", "unsafe_path", "follow_symlink = true"},
      {"dangling", "unsafe_path", "found a symbolic link"},
      {std::string(256, 'n'), "io", "Shorten the name"},
      {std::string(5000, 'n') + "/x", "io", "Shorten the name"},
      {std::string("fi\0le", 5), "unsafe_path", "the path holds a zero byte"},
  };
  for (const auto mode : modes) {
    for (const row& refused : table) {
      const std::string& path = refused.path;
      CAPTURE(path);
      const auto failure = scratch::failure_of([&] { atomic_file(path, {.mode = mode}).open(10); });
      REQUIRE(failure);
      CHECK(std::string(name_of(failure->code())) == refused.code);
      CHECK_MESSAGE(std::string(failure->what()).find(refused.said) != std::string::npos, failure->what());
      CHECK(folder.entries() == entries);
      CHECK(scratch::open_descriptors() == before);
    }
  }
  CHECK(content("file") == "old");
}

TEST_CASE("a symbolic link is followed where that is asked for: the file there is replaced, the link stays") {
  scratch::folder folder;
  const scratch::in_folder inside(folder.path());
  scratch::fs::create_directory("sub");
  scratch::put("sub/file", "old");
  scratch::fs::create_symlink("sub/file", "link");
  scratch::fs::create_symlink(folder / "link", "second");
  scratch::fs::create_symlink("new", "sub/dangling");
  scratch::fs::create_symlink("circle", "circle");
  scratch::fs::create_symlink("sub", "to_folder");
  const atomic_file_options follow{.follow_symlink = true};
  scripted::script script;
  save_text(basic_atomic_file("second", follow, scripted::ops{script}), "new");
  CHECK(content("sub/file") == "new");
  CHECK(scratch::fs::is_symlink("second"));
  CHECK(scratch::fs::is_symlink("link"));
  save_text(atomic_file("sub/dangling", follow), "made");
  CHECK(content("sub/new") == "made");
  CHECK(code_of([&] { atomic_file("circle", follow).open(1); }) == "unsafe_path");
  CHECK(code_of([&] { atomic_file("to_folder", follow).open(1); }) == "unsafe_path");
  CHECK(code_of([&] { save_text(atomic_file("link", {.mode = file_mode::create_new, .follow_symlink = true}), "x"); }) == "exists");
  CHECK(content("sub/file") == "new");
}

TEST_CASE("a target tells what lies there, and stays the same place when its folder is renamed") {
  scratch::folder folder;
  scratch::fs::create_directory(folder / "a");
  scratch::put(folder / "a/file", "x");
  scratch::fs::permissions(folder / "a/file", static_cast<scratch::fs::perms>(0604));
  const auto there = detail::open_target(file_ops{}, folder / "a/file", false);
  CHECK(there.exists);
  CHECK(there.mode == 0604);
  CHECK(there.base == "file");
  const auto absent = detail::open_target(file_ops{}, folder / "a/other", false);
  CHECK_FALSE(absent.exists);
  CHECK(absent.mode == 0666);
  scratch::fs::rename(folder / "a", folder / "b");
  CHECK(::faccessat(there.folder.get(), "file", F_OK, 0) == 0);
}
