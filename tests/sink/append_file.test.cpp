// SPDX-License-Identifier: BSL-1.0
// tests/sink/append_file.test.cpp: what is appended is whole or not there, synced when asked, and other histories are told apart.
#include <tidemark/sink/append_file.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "child.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace tidemark;
using detail::bytes_of;
using scratch::code_of;
using scratch::content;
using scripted_file = detail::append_file<scripted::ops>;
using plain_file = detail::append_file<file_ops>;

TEST_CASE("it goes on at the end of what is there, and creates what is not") {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  {
    plain_file file(folder / "log");
    CHECK(file.end() == 0);
    file.append(bytes_of("one"));
    file.append({});
    file.append(bytes_of("two"));
    CHECK(file.end() == 6);
  }
  {
    plain_file file(folder / "log");
    CHECK(file.end() == 6);
    file.append(bytes_of("three"));
    file.cut(4);
    CHECK(file.end() == 4);
    file.append(bytes_of("!"));
  }
  CHECK(content(folder / "log") == "onet!");
  scratch::fs::create_symlink("log", folder / "link");
  plain_file(folder / "link").append(bytes_of("?"));
  CHECK(content(folder / "log") == "onet!?");
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("what is no file is refused without waiting for it") {
  scratch::folder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(code_of([&] { plain_file file(folder / "pipe"); }) == "unsafe_path");
  CHECK(code_of([&] { plain_file file(folder.path()); }) == "unsafe_path");
  CHECK(code_of([&] { plain_file file("/dev/null"); }) == "unsafe_path");
  CHECK(code_of([&] { plain_file file(folder / "missing/log"); }) == "not_found");
  CHECK(code_of([&] { plain_file file(""); }) == "not_found");
}

TEST_CASE("a sync costs one call where something was appended, none where nothing was, and one more for a new name") {
  scratch::folder folder;
  scripted::script script;
  scripted_file file(folder / "log", scripted::ops{script});
  const auto calls = [&] {
    const auto names = script.names();
    script.trace.clear();
    return std::pair{std::count(names.begin(), names.end(), "fsync file"), std::count(names.begin(), names.end(), "fsync folder")};
  };
  using both = std::pair<std::ptrdiff_t, std::ptrdiff_t>;
  file.sync();
  CHECK(calls() == both{1, 1});
  file.sync();
  CHECK(calls() == both{0, 0});
  file.append(bytes_of("x"));
  file.sync();
  CHECK(calls() == both{1, 0});
  file.cut(0);
  file.sync();
  CHECK(calls() == both{1, 0});
  scripted_file again(folder / "log", scripted::ops{script});
  again.sync();
  CHECK(calls() == both{1, 1});  // who wrote it may not have, nor who made its name
  again.sync();
  CHECK(calls() == both{0, 0});
}

TEST_CASE("the folder that is synced is the one in which the file was opened, wherever the working directory is by then") {
  scratch::folder folder;
  const scratch::in_folder here(folder.path());
  scratch::fs::create_directories(folder / "first/logs");
  scratch::fs::create_directories(folder / "second");
  for (const char* path : {"log", "logs/log"}) {
    for (const bool is_new : {true, false}) {
      scratch::fs::current_path(folder / "first");
      scripted::script script;
      scripted_file file(path, scripted::ops{script});
      file.append(bytes_of("x"));
      scratch::fs::current_path(folder / "second");
      CAPTURE(is_new);
      CHECK(code_of([&] { file.sync(); }) == "success");
      const auto names = script.names();
      CHECK(std::count(names.begin(), names.end(), "fsync folder") == 1);
      scratch::fs::current_path(folder.path());
    }
  }
}

TEST_CASE("a log that is there may lie in a folder that may not be listed") {
  scratch::folder folder;
  scratch::fs::permissions(folder.path(), scratch::fs::perms::all);
  scratch::put(folder / "log", "old");
  scratch::fs::permissions(folder / "log", scratch::fs::perms::all);
  scratch::fs::permissions(folder.path(), scratch::fs::perms(0311));
  CHECK(child::outcome_of([&] {
    child::become_nobody();
    plain_file file(folder / "log");
    file.append(bytes_of("x"));
    file.sync();
    return code_of([&] { plain_file other(folder / "other"); }) == "io" ? 0 : 1;
  }) == "exit 0");
  scratch::fs::permissions(folder.path(), scratch::fs::perms::all);
}

TEST_CASE("a failed sync is never taken for a success later") {
  scratch::folder folder;
  scripted::script script;
  scripted_file file(folder / "log", scripted::ops{script});
  file.append(bytes_of("x"));
  script.always["fsync file"] = EIO;
  CHECK(code_of([&] { file.sync(); }) == "io");
  script.always.clear();
  CHECK(code_of([&] { file.sync(); }) == "io");
  file.append(bytes_of("y"));
  CHECK(code_of([&] { file.sync(); }) == "io");
  scripted_file other(folder / "other", scripted::ops{script});
  script.always["fsync folder"] = EIO;
  CHECK(code_of([&] { other.sync(); }) == "io");
  script.always.clear();
  CHECK(code_of([&] { other.sync(); }) == "success");  // a folder's entries are not forgotten
}

TEST_CASE("a write that fails leaves nothing of it, with every errno, at every piece, however short the pieces") {
  scratch::folder folder;
  const std::string text = scratch::pattern(10);
  for (const int number : {EIO, ENOSPC, EDQUOT, EFBIG}) {
    for (int at = 0; at < 4; ++at) {
      scratch::put(folder / "log", "before");
      scripted::script script;
      script.shorten = [](std::size_t size) { return std::min<std::size_t>(size, 3); };
      scripted_file file(folder / "log", scripted::ops{script});
      script.fail_at = static_cast<int>(script.trace.size()) + at;
      script.error = number;
      const auto failure = scratch::failure_of([&] { file.append(bytes_of(text)); });
      REQUIRE(failure);
      CHECK(failure->system() == number);
      CHECK(failure->file() == folder / "log");
      CHECK(content(folder / "log") == "before");
      CHECK(file.end() == 6);
      file.append(bytes_of(text));
      CHECK(content(folder / "log") == "before" + text);
    }
  }
  scripted::script full;
  full.shorten = [](std::size_t) { return std::size_t{0}; };
  scripted_file file(folder / "full", scripted::ops{full});
  CHECK(code_of([&] { file.append(bytes_of("x")); }) == "io");
  scripted::script interrupted;
  interrupted.interrupts = true;
  scripted_file patient(folder / "patient", scripted::ops{interrupted});
  patient.append(bytes_of("x"));
  patient.sync();
  CHECK(patient.digest_before(1) == detail::digest_of(bytes_of("x")));
  patient.cut(0);
  CHECK(content(folder / "patient") == "");
}

TEST_CASE("opening may fail with each errno: the error names the file, and no descriptor is lost") {
  scratch::folder folder;
  scratch::put(folder / "log", "");
  const std::size_t before = scratch::open_descriptors();
  for (const int number : {EACCES, EIO, EMFILE, EROFS, ENFILE, ELOOP}) {
    for (int at = number == EACCES ? 1 : 0; at < 3; ++at) {
      scripted::script script;
      script.fail_at = at;
      script.error = number;
      const auto failure = scratch::failure_of([&] { scripted_file file(folder / "log", scripted::ops{script}); });
      REQUIRE(failure);
      CHECK(failure->file() == folder / "log");
      CHECK(failure->system() == number);
    }
  }
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("the digest is that of the last 4 KiB before a position, for every length around that") {
  scratch::folder folder;
  const std::string text = scratch::pattern(10'000);
  scratch::put(folder / "log", text);
  scripted::script script;
  script.shorten = [](std::size_t size) { return std::min<std::size_t>(size, 1000); };
  const scripted_file file(folder / "log", scripted::ops{script});
  for (const std::size_t position : {0u, 1u, 4095u, 4096u, 4097u, 8192u, 9999u, 10'000u}) {
    const std::size_t begin = position > 4096 ? position - 4096 : 0;
    CHECK(file.digest_before(position) == detail::digest_of(bytes_of(std::string_view(text).substr(begin, position - begin))));
  }
  const auto failure = scratch::failure_of([&] { static_cast<void>(file.digest_before(10'001)); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::truncated);
  CHECK(failure->found() == "10000");
}
