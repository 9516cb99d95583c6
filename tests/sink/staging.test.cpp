// SPDX-License-Identifier: BSL-1.0
// tests/sink/staging.test.cpp: the new file before it has its name, and how it gets it, on filesystems that can do more or less.
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/staging.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace tidemark;
using scratch::code_of;
using scratch::content;
using scratch::save_text;

TEST_CASE("a new file needs nothing but hard links: where nameless files, /proc or renaming without replacing lack, the next best way is taken") {
  struct row {
    std::vector<std::pair<std::string, int>> lacks;
    std::string last;  // the call that gives the name
  };
  const std::vector<row> table{
      {{}, "linkat file"},
      {{{"openat nameless", EOPNOTSUPP}}, "renameat2 file"},
      {{{"openat nameless", EISDIR}}, "renameat2 file"},
      {{{"fstatat proc", ENOENT}}, "renameat2 file"},
      {{{"openat nameless", EOPNOTSUPP}, {"renameat2", EINVAL}}, "linkat file"},
      {{{"openat nameless", EOPNOTSUPP}, {"renameat2", ENOSYS}}, "linkat file"},
  };
  for (const row& with : table) {
    scratch::folder folder;
    scripted::script script;
    for (const auto& [call, error] : with.lacks) script.always[call] = error;
    const std::size_t before = scratch::open_descriptors();
    const basic_atomic_file sink(folder / "file", {.mode = file_mode::create_new}, scripted::ops{script});
    CHECK(save_text(sink, "new") == durability::power);
    const auto names = script.names();
    CHECK(std::count(names.begin(), names.end(), with.last) == 1);
    CHECK(content(folder / "file") == "new");
    CHECK(folder.entries() == 1);
    CHECK(code_of([&] { save_text(sink, "newer"); }) == "exists");
    CHECK(content(folder / "file") == "new");
    CHECK(folder.entries() == 1);
    CHECK(scratch::open_descriptors() == before);
  }
}

TEST_CASE("a save whose folder or temporary file is removed meanwhile says so") {
  for (const auto mode : {file_mode::replace, file_mode::create_new}) {
    scratch::folder folder;
    scratch::fs::create_directory(folder / "a");
    auto writer = atomic_file(folder / "a/file", {.mode = mode}).open(1);
    writer.write(detail::bytes_of("x"));
    scratch::fs::remove_all(folder / "a");
    const auto failure = scratch::failure_of([&] { writer.commit(); });
    REQUIRE(failure);
    CHECK(failure->code() == errc::not_found);
    CHECK(std::string(failure->what()).find("was removed while it was saved") != std::string::npos);
  }
}

TEST_CASE("replacing gives the new file the name in one step: the name is never without a file") {
  scratch::folder folder;
  scratch::put(folder / "file", "old");
  scripted::script script;
  save_text(basic_atomic_file(folder / "file", {}, scripted::ops{script}), "new");
  const auto names = script.names();
  CHECK(std::count(names.begin(), names.end(), "renameat file") == 1);
  CHECK(std::count(names.begin(), names.end(), "unlinkat temporary") == 0);
}
