// SPDX-License-Identifier: BSL-1.0
// tests/sink/atomic_file.test.cpp: what a user of atomic_file may rely on when nothing fails, and which places it refuses.
#include <tidemark/sink/atomic_file.hpp>

#include <doctest/doctest.h>
#include "child.hpp"
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <array>
#include <vector>

#include <sys/stat.h>

using namespace tidemark;
using scratch::code_of;
using scratch::content;
using scratch::save_text;

static_assert(Sink<atomic_file> && Sink<basic_atomic_file<scripted::ops>>);
static_assert(std::is_copy_constructible_v<atomic_file>);
static_assert(std::is_nothrow_move_constructible_v<atomic_file_writer<file_ops>> && !std::is_copy_constructible_v<atomic_file_writer<file_ops>>);

namespace {

constexpr std::array modes{file_mode::replace, file_mode::create_new};
constexpr std::array levels{durability::power, durability::process, durability::none};

}  // namespace

TEST_CASE("an atomic_file writes what it was given, in both modes, at every level, on disk and in memory") {
  const std::size_t before = scratch::open_descriptors();
  for (const std::string& where : {std::string("/dev/shm"), scratch::fs::temp_directory_path().string()}) {
    if (::access(where.c_str(), W_OK) != 0) continue;
    scratch::folder folder(where);
    for (const auto mode : modes) {
      for (const auto level : levels) {
        const std::string path = folder / "file";
        const atomic_file sink(path, {.mode = mode, .durability = level});
        CHECK(sink.name() == path);
        CHECK(save_text(sink, "first") == level);
        CHECK(content(path) == "first");
        if (mode == file_mode::replace) {
          save_text(sink, "second, longer");
          CHECK(content(path) == "second, longer");
          save_text(sink, "");
          CHECK(content(path) == "");
        } else {
          CHECK(code_of([&] { sink.open(6); }) == "exists");  // said before hours are spent on the bytes
          CHECK(code_of([&] { save_text(sink, "second"); }) == "exists");
          CHECK(content(path) == "first");
        }
        CHECK(folder.entries() == 1);
        scratch::fs::remove(path);
      }
    }
  }
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("the default survives a power cut and replaces") {
  const atomic_file sink("x");
  CHECK(sink.options().durability == durability::power);
  CHECK(sink.options().mode == file_mode::replace);
  CHECK_FALSE(sink.options().follow_symlink);
}

TEST_CASE("small saves cost no system call that the protocol does not need") {
  scratch::folder folder;
  scripted::script first, second, fresh;
  const std::string text = scratch::pattern(4096);
  const auto use = [&](scripted::script& script, const char* name, file_mode mode) {
    save_text(basic_atomic_file(folder / name, {.mode = mode}, scripted::ops{script}), text, 100);
    return script.names();
  };
  using list = std::vector<std::string>;
  CHECK(use(first, "a", file_mode::replace) == list{"openat folder", "fstatat target", "getrandom", "openat file", "write file", "fsync file", "close file",
                                                    "renameat a", "fsync folder", "fstat folder", "close folder"});
  CHECK(use(second, "a", file_mode::replace) == list{"openat folder", "fstatat target", "getrandom", "openat file", "fchmod file", "write file", "fsync file",
                                                     "close file", "renameat a", "fsync folder", "fstat folder", "close folder"});
  CHECK(use(fresh, "b", file_mode::create_new) == list{"openat folder", "fstatat target", "openat nameless", "fstatat proc", "write file", "fsync file",
                                                       "linkat b", "close file", "fsync folder", "fstat folder", "close folder"});
}

TEST_CASE("no program started meanwhile inherits a descriptor, and a temporary name planted by others is neither opened nor followed") {
  scratch::folder folder;
  for (const auto mode : modes) {
    for (const bool lacks_nameless : {false, true}) {
      scripted::script script;
      if (lacks_nameless) script.always["openat nameless"] = EOPNOTSUPP;
      save_text(basic_atomic_file(folder / "file", {.mode = mode}, scripted::ops{script}), "x");
      int opened = 0;
      for (const auto& call : script.trace) {
        if (call.name != "openat") continue;
        ++opened;
        CHECK((call.flags & O_CLOEXEC) != 0);
        if (call.object == "file") CHECK((call.flags & (O_EXCL | O_CREAT | O_NOFOLLOW)) == (O_EXCL | O_CREAT | O_NOFOLLOW));
      }
      CHECK(opened >= 2);
      scratch::fs::remove(folder / "file");
    }
  }
}

TEST_CASE("until the commit nobody sees the new file, and a save given up leaves no trace") {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  for (const auto mode : modes) {
    const atomic_file sink(folder / "file", {.mode = mode});
    for (const bool is_moved : {false, true}) {
      auto writer = sink.open(5);
      writer.write(detail::bytes_of("new"));
      CHECK(content(folder / "file") == "(no file)");
      CHECK(folder.leftovers() == (mode == file_mode::replace ? 1u : 0u));
      if (is_moved) auto other = std::move(writer);
    }
    CHECK(folder.entries() == 0);
  }
  auto first = atomic_file(folder / "file").open(3);
  auto second = atomic_file(folder / "other").open(3);
  first.write(detail::bytes_of("one"));
  second.write(detail::bytes_of("two"));
  first = std::move(second);
  CHECK(folder.leftovers() == 1);  // the save that `first` was is given up at once
  CHECK(code_of([&] { second.write({}); }) == "unsupported");
  first.commit();
  CHECK(content(folder / "other") == "two");
  {
    auto gone = std::move(second);
  }
  CHECK(folder.entries() == 1);
  CHECK(code_of([&] { first.commit(); }) == "unsupported");
  CHECK(code_of([&] { first.write({}); }) == "unsupported");
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("a reader who has the old file open keeps it, and its other hard links keep it") {
  scratch::folder folder;
  scratch::put(folder / "file", "old");
  scratch::fs::create_hard_link(folder / "file", folder / "link");
  std::ifstream reader(folder / "file");
  save_text(atomic_file(folder / "file"), "new");
  std::string text;
  reader >> text;
  CHECK(text == "old");
  CHECK(content(folder / "link") == "old");
  CHECK(content(folder / "file") == "new");
}

TEST_CASE("a new file has the permissions that the umask leaves; a replaced one keeps its own") {
  scratch::folder folder;
  for (const mode_t mask : {0022u, 0077u, 0000u, 0027u}) {
    const mode_t before = ::umask(mask);
    for (const auto mode : modes) {
      save_text(atomic_file(folder / "file", {.mode = mode}), "x");
      CHECK(scratch::mode_of(folder / "file") == (0666u & ~mask));
      for (const unsigned kept : {0600u, 0644u, 0666u, 0444u, 0400u, 0755u}) {
        scratch::fs::permissions(folder / "file", static_cast<scratch::fs::perms>(kept));
        scripted::script script;
        auto writer = basic_atomic_file(folder / "file", {}, scripted::ops{script}).open(1);
        for (const auto& call : script.trace) {
          if (call.name == "openat" && call.object == "file") CHECK(call.mode == kept);
        }
        for (const auto& entry : scratch::fs::directory_iterator(folder.path())) {
          CHECK((scratch::mode_of(entry.path().string()) & ~kept) == 0);  // nor is it more open while it is written
        }
        writer.write(detail::bytes_of("y"));
        writer.commit();
        CHECK(scratch::mode_of(folder / "file") == kept);
      }
      scratch::fs::remove(folder / "file");
    }
    ::umask(before);
  }
}

TEST_CASE("a read-only file is replaced, because only its folder must be writable; a read-only folder is refused") {
  scratch::folder folder;
  scratch::fs::permissions(folder.path(), scratch::fs::perms::all);
  scratch::fs::create_directory(folder / "locked");
  scratch::put(folder / "file", "old");
  scratch::put(folder / "locked/file", "old");
  scratch::fs::permissions(folder / "file", static_cast<scratch::fs::perms>(0444));
  scratch::fs::permissions(folder / "locked/file", static_cast<scratch::fs::perms>(0666));
  scratch::fs::permissions(folder / "locked", static_cast<scratch::fs::perms>(0555));
  CHECK(child::outcome_of([&] {
          child::become_nobody();
          save_text(atomic_file(folder / "file"), "new");
          for (const auto mode : modes) {
            const auto failure =
                scratch::failure_of([&] { save_text(atomic_file(folder / (mode == file_mode::replace ? "locked/file" : "locked/b"), {.mode = mode}), "new"); });
            if (!failure || failure->code() != errc::io || failure->system() != EACCES) return 1;
            if (std::string(failure->what()).find("Check who owns") == std::string::npos) return 2;
          }
          return 0;
        }) == "exit 0");
  CHECK(content(folder / "file") == "new");
  CHECK(scratch::mode_of(folder / "file") == 0444);
  CHECK(content(folder / "locked/file") == "old");
  scratch::fs::permissions(folder / "locked", scratch::fs::perms::owner_all);
  CHECK(scratch::fs::exists(folder / "locked/b") == false);
}

TEST_CASE("absolute, relative and bare paths work, through linked folders, with names as long as they may be") {
  scratch::folder folder;
  scratch::fs::create_directory(folder / "sub");
  scratch::fs::create_directory_symlink("sub", folder / "linked");
  const scratch::in_folder inside(folder.path());
  for (const auto mode : modes) {
    for (const std::string& path :
         {folder / "a", std::string("a"), std::string("./a"), std::string("sub/a"), std::string("sub/../a"), std::string("sub//a"), std::string("linked/a"),
          std::string(255, 'n'), "sub/" + std::string(230, 'n'), std::string(".hidden"), std::string("with space\nand newline"), std::string("...")}) {
      CAPTURE(path);
      CHECK(code_of([&] { save_text(atomic_file(path, {.mode = mode}), "x"); }) == "success");
      CHECK(content(path) == "x");
      CHECK(folder.leftovers() == 0);
      if (mode == file_mode::replace) CHECK(code_of([&] { save_text(atomic_file(path), "y"); }) == "success");
      scratch::fs::remove(path);
    }
  }
}

TEST_CASE("of two who create the same new file at once, the first to commit wins and the other is told") {
  for (const bool has_nameless : {true, false}) {
    for (const bool has_noreplace : {true, false}) {
      scratch::folder folder;
      scripted::script script;
      if (!has_nameless) script.always["openat nameless"] = EOPNOTSUPP;
      if (!has_noreplace) script.always["renameat2"] = EINVAL;
      const basic_atomic_file sink(folder / "file", {.mode = file_mode::create_new}, scripted::ops{script});
      auto first = sink.open(5);
      auto second = sink.open(6);
      first.write(detail::bytes_of("first"));
      second.write(detail::bytes_of("second"));
      CHECK(second.commit() == durability::power);
      const auto failure = scratch::failure_of([&] { first.commit(); });
      REQUIRE(failure);
      CHECK(failure->code() == errc::exists);
      CHECK(failure->details().problem == "there is a file of this name already");  // and not that it could not be renamed
      CHECK(content(folder / "file") == "second");
      CHECK(folder.entries() == 1);
    }
  }
}

TEST_CASE("a folder or a link put at the path while a save runs is not followed into") {
  scratch::folder folder;
  scratch::put(folder / "victim", "safe");
  auto writer = atomic_file(folder / "file").open(1);
  writer.write(detail::bytes_of("x"));
  scratch::fs::create_symlink("victim", folder / "file");
  writer.commit();
  CHECK(content(folder / "victim") == "safe");
  CHECK_FALSE(scratch::fs::is_symlink(folder / "file"));
  auto other = atomic_file(folder / "other").open(1);
  scratch::fs::create_directory(folder / "other");
  CHECK(code_of([&] { other.commit(); }) == "unsafe_path");
  CHECK(folder.leftovers() == 0);
}

TEST_CASE("a folder renamed while a save runs takes the new file along") {
  scratch::folder folder;
  scratch::fs::create_directory(folder / "a");
  auto writer = atomic_file(folder / "a/file").open(1);
  writer.write(detail::bytes_of("x"));
  scratch::fs::rename(folder / "a", folder / "b");
  writer.commit();
  CHECK(content(folder / "b/file") == "x");
}
