// SPDX-License-Identifier: BSL-1.0
// sink/staged_folder.test.cpp: a folder is seen whole under its name or not at all, and one that fails leaves nothing.
#include <tidemark/sink/staged_folder.hpp>

#include <doctest/doctest.h>

#include "child.hpp"
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

using namespace tidemark;
using namespace tidemark::detail;
using scratch::code_of;
namespace fs = std::filesystem;

namespace {

template <class Ops>
void put(staged_folder<Ops>& in, const std::string& name, std::string_view text, bool is_synced = true) {
  auto file = in.create(name, text.size(), is_synced);
  file.write(bytes_of(text));
  file.finish();
  if (is_synced) file.sync();
  file.close();
}

/// What a durable save of a folder does.
template <class Ops>
void save_folder(const Ops& ops, const std::string& path) {
  staged_folder<Ops> folder(ops, path);
  put(folder, "a", "first");
  put(folder, "b", "second");
  folder.sync();
  folder.publish();
  folder.sync_parent();
}

const std::vector<int> numbers = {EIO, ENOSPC, EDQUOT, EACCES, ENOENT, EROFS, EMFILE, ENOMEM, EEXIST, ENOTEMPTY, EXDEV, EPERM, EBUSY, EMLINK, ENOTDIR, ELOOP, ENAMETOOLONG};

/// A call may fail with EEXIST for ever only where it is asked for a name that is random.
bool may_give(const scripted::call& c, int number) {
  if (c.name == "mkdirat" && number == EEXIST) return false;       // then another name is taken
  if (c.name == "fstatat" && number == ENOENT) return false;       // that is as it should be
  return true;
}

}  // namespace

TEST_CASE("until it is published nobody sees a folder of that name, then all of it") {
  const scratch::folder dir;
  staged_folder<file_ops> folder({}, dir / "new");
  put(folder, "a", "text");
  CHECK_FALSE(fs::exists(dir / "new"));
  CHECK(dir.entries() == 1);
  CHECK(dir.leftovers() == 1);
  folder.sync();
  folder.publish();
  CHECK(scratch::content(dir / "new/a") == "text");
  CHECK(dir.entries() == 1);
  CHECK(dir.leftovers() == 0);
  folder.sync_parent();
}

TEST_CASE("a folder that is not published goes with all that was created in it") {
  const scratch::folder dir;
  const std::size_t before = scratch::open_descriptors();
  {
    staged_folder<file_ops> folder({}, dir / "new");
    put(folder, "a", "text");
    auto half = folder.create("b", 10, true);
    half.write(bytes_of("hal"));
  }
  CHECK(dir.entries() == 0);
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("what was published stays when the object goes") {
  const scratch::folder dir;
  save_folder(file_ops{}, dir / "new");
  CHECK(scratch::content(dir / "new/a") == "first");
  CHECK(scratch::content(dir / "new/b") == "second");
}

TEST_CASE("anything at the path already is left alone, whatever it is") {
  const scratch::folder dir;
  fs::create_directory(dir / "empty");
  fs::create_directory(dir / "full");
  scratch::put(dir / "full/x", "x");
  scratch::put(dir / "file", "x");
  fs::create_symlink("nowhere", dir / "dangling");
  fs::create_symlink("empty", dir / "link");
  REQUIRE(::mkfifo((dir / "fifo").c_str(), 0600) == 0);
  for (const char* name : {"empty", "full", "file", "dangling", "link", "fifo", "empty/", "full//"}) {
    CAPTURE(name);
    CHECK(code_of([&] { staged_folder<file_ops>({}, dir / name); }) == "exists");
  }
  CHECK(dir.entries() == 6);
  CHECK(fs::is_empty(dir / "empty"));
  CHECK(scratch::content(dir / "full/x") == "x");
}

TEST_CASE("paths that name no new folder, and folders that are not there, are refused") {
  const scratch::folder dir;
  using namespace std::string_literals;
  for (const std::string& path : {"/"s, "."s, ".."s, dir / ".", dir / "..", dir / "a/..", "///"s, dir.path() + "/x\0y"s}) {
    CAPTURE(path);
    CHECK(code_of([&] { staged_folder<file_ops>({}, path); }) == "unsafe_path");
  }
  CHECK(code_of([&] { staged_folder<file_ops>({}, ""); }) == "not_found");
  CHECK(code_of([&] { staged_folder<file_ops>({}, dir / "none/new"); }) == "not_found");
  scratch::put(dir / "file", "x");
  CHECK(code_of([&] { staged_folder<file_ops>({}, dir / "file/new"); }) == "not_found");
  CHECK(code_of([&] { staged_folder<file_ops>({}, dir / std::string(256, 'x')); }) == "io");
  CHECK(dir.entries() == 1);
}

TEST_CASE("names of 255 bytes, trailing slashes, relative and bare paths are taken") {
  const scratch::folder dir;
  const scratch::in_folder here(dir.path());
  for (const std::string& path : {dir / std::string(255, 'x'), dir / "slash/", dir / "slashes///", std::string("bare"), std::string("./relative"), std::string("bare/../up")}) {
    save_folder(file_ops{}, path);
    CHECK(scratch::content(path + "/a") == "first");
  }
  CHECK(dir.entries() == 6);
  CHECK(dir.leftovers() == 0);
}

TEST_CASE("a name that is taken while the folder is filled is kept, and the new folder goes") {
  for (const std::map<std::string, int>& lacks : {std::map<std::string, int>{}, {{"renameat2", EINVAL}}, {{"renameat2", ENOSYS}}, {{"renameat2", EOPNOTSUPP}}}) {
    for (const std::string what : {"full", "file", "dangling"}) {
      const scratch::folder dir;
      scripted::script script;
      script.always = lacks;
      {
        staged_folder<scripted::ops> folder(scripted::ops(script), dir / "new");
        put(folder, "a", "text");
        if (what == "full") {
          fs::create_directory(dir / "new");
          scratch::put(dir / "new/x", "x");
        } else if (what == "file") {
          scratch::put(dir / "new", "x");
        } else {
          fs::create_symlink("nowhere", dir / "new");
        }
        CHECK(code_of([&] { folder.publish(); }) == "exists");
      }
      CHECK(dir.entries() == 1);
      CHECK(scratch::content(dir / "new" + (what == "full" ? "/x" : "")) == (what == "dangling" ? "(no file)" : "x"));
    }
  }
}

TEST_CASE("without renameat2 a folder still gets its name in one step") {
  for (const int number : {EINVAL, ENOSYS, EOPNOTSUPP}) {
    const scratch::folder dir;
    scripted::script script;
    script.always = {{"renameat2", number}};
    save_folder(scripted::ops(script), dir / "new");
    CHECK(scratch::content(dir / "new/b") == "second");
    CHECK(dir.entries() == 1);
  }
}

TEST_CASE("the steps of a durable folder come in their order") {
  const scratch::folder dir;
  scripted::script script;
  save_folder(scripted::ops(script), dir / "new");
  std::vector<std::string> steps;
  for (const auto& name : script.names()) {
    if (name.starts_with("fsync") || name.starts_with("rename") || name.starts_with("write")) steps.push_back(name);
  }
  CHECK(steps == std::vector<std::string>{"write file", "fsync file", "write file", "fsync file", "fsync folder", "renameat2 new", "fsync folder"});
}

TEST_CASE("whatever call fails, with whatever errno: nothing, or the whole folder and no doubt about it") {
  const scratch::folder first;
  scripted::script whole;
  save_folder(scripted::ops(whole), first / "new");
  const std::size_t before = scratch::open_descriptors();
  int cases = 0;
  for (std::size_t at = 0; at < whole.trace.size(); ++at) {
    for (const int number : numbers) {
      if (!may_give(whole.trace[at], number)) continue;
      const scratch::folder dir;
      scripted::script script;
      script.fail_at = static_cast<int>(at);
      script.error = number;
      const std::string code = code_of([&] { save_folder(scripted::ops(script), dir / "new"); });
      CAPTURE(whole.names()[at]);
      CAPTURE(number);
      CHECK(scratch::open_descriptors() == before);
      const bool is_there = fs::exists(dir / "new");
      const std::string& name = whole.trace[at].name;
      ++cases;
      if (code == "success" || code == "commit_unknown") {
        CHECK(is_there);
        CHECK(scratch::content(dir / "new/b") == "second");
        const bool is_after = at + 4 >= whole.trace.size();  // sync of the parent and a look at it, then the folders are closed
        CHECK((code == "success" ? is_after && name == "close" : is_after && (name == "fsync" || name == "fstat")));
      } else {
        CHECK_FALSE(is_there);
        CHECK(dir.entries() == 0);
      }
    }
  }
  CHECK(cases > 200);
}

TEST_CASE("interruptions and short writes change nothing") {
  const scratch::folder dir;
  scripted::script script;
  script.interrupts = true;
  script.shorten = [](std::size_t n) { return n > 1 ? n / 2 : n; };
  save_folder(scripted::ops(script), dir / "new");
  CHECK(scratch::content(dir / "new/b") == "second");
  CHECK(dir.entries() == 1);
}

TEST_CASE("another name is tried where the temporary one is taken") {
  const scratch::folder dir;
  scripted::script script;
  save_folder(scripted::ops(script), dir / "probe");
  const auto names = script.names();
  scripted::script again;
  again.fail_at = static_cast<int>(std::find_if(names.begin(), names.end(), [](const auto& n) { return n.starts_with("mkdirat"); }) - names.begin());
  again.error = EEXIST;
  save_folder(scripted::ops(again), dir / "new");
  CHECK(scratch::content(dir / "new/b") == "second");
  CHECK(dir.entries() == 2);
}

TEST_CASE("killed at any call, a folder is there whole or not at all") {
  scripted::script whole;
  {
    const scratch::folder dir;
    save_folder(scripted::ops(whole), dir / "new");
  }
  for (std::size_t at = 0; at < whole.trace.size(); ++at) {
    for (const bool after : {false, true}) {
      const scratch::folder dir;
      CHECK(child::outcome_of([&] {
        scripted::script script;
        script.kill_at = static_cast<int>(at);
        script.kills_after = after;
        save_folder(scripted::ops(script), dir / "new");
        return 0;
      }) == "signal 9");
      CHECK(dir.entries() <= 1);
      if (fs::exists(dir / "new")) CHECK(scratch::content(dir / "new/a") + scratch::content(dir / "new/b") == "firstsecond");
      else CHECK(dir.entries() == dir.leftovers());
    }
  }
}

TEST_CASE("a temporary folder that is taken away is an error, and what took its place stays") {
  const scratch::folder dir;
  {
    staged_folder<file_ops> folder({}, dir / "new");
    put(folder, "a", "text");
    for (const auto& entry : fs::directory_iterator(dir.path())) fs::remove_all(entry.path());
    CHECK(code_of([&] { folder.publish(); }) == "not_found");
  }
  CHECK(dir.entries() == 0);
}

TEST_CASE("only what was created in it is removed") {
  const scratch::folder dir;
  {
    staged_folder<file_ops> folder({}, dir / "new");
    put(folder, "a", "text");
    for (const auto& entry : fs::directory_iterator(dir.path())) scratch::put(entry.path().string() + "/of-another", "x");
  }
  REQUIRE(dir.leftovers() == 1);
  for (const auto& entry : fs::directory_iterator(dir.path())) {
    CHECK(scratch::content(entry.path().string() + "/of-another") == "x");
    CHECK_FALSE(fs::exists(entry.path() / "a"));
  }
}

TEST_CASE("files are created by several threads at once, none twice, and a link that waits there is not followed") {
  const scratch::folder dir;
  {
    staged_folder<file_ops> folder({}, dir / "new");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) put(folder, std::to_string(t) + "-" + std::to_string(i), "x", false);
      });
    }
    for (auto& t : threads) t.join();
    CHECK(code_of([&] { put(folder, "0-0", "x"); }) == "exists");
    for (const auto& entry : fs::directory_iterator(dir.path())) fs::create_symlink(dir / "outside", entry.path() / "link");
    CHECK(code_of([&] { put(folder, "link", "x"); }) == "exists");
  }
  CHECK_FALSE(fs::exists(dir / "outside"));
  CHECK(dir.entries() == 0);
}

TEST_CASE("the umask leaves its marks on the folder and its files") {
  const scratch::folder dir;
  const mode_t before = ::umask(027);
  save_folder(file_ops{}, dir / "new");
  ::umask(before);
  CHECK(scratch::mode_of(dir / "new") == 0750);
  CHECK(scratch::mode_of(dir / "new/a") == 0640);
}

TEST_CASE("a folder without the right to write refuses, with advice") {
  const scratch::folder dir;
  CHECK(child::outcome_of([&] {
    fs::create_directory(dir / "closed");
    fs::permissions(dir / "closed", fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    fs::permissions(dir.path(), fs::perms::all);
    child::become_nobody();
    const auto failure = scratch::failure_of([&] { staged_folder<file_ops>({}, dir / "closed/new"); });
    return failure && failure->code() == errc::io && failure->system() == EACCES && !failure->details().advice.empty() ? 0 : 1;
  }) == "exit 0");
}
