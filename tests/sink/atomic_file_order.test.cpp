// SPDX-License-Identifier: BSL-1.0
// tests/sink/atomic_file_order.test.cpp: the order of a save's steps, and what a power cut between any two of them can leave.
#include <tidemark/sink/atomic_file.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

struct way {
  atomic_file_options options;
  bool has_old_file;
  bool lacks_nameless, lacks_noreplace;
};

std::vector<way> ways_at(durability level) {
  const auto options = [&](file_mode mode) { return atomic_file_options{.mode = mode, .durability = level}; };
  return {{options(file_mode::replace), false, false, false},
          {options(file_mode::replace), true, false, false},
          {options(file_mode::create_new), false, false, false},
          {options(file_mode::create_new), false, true, false},
          {options(file_mode::create_new), false, true, true}};
}

scripted::script recorded_save(const way& how, std::string_view text, std::size_t piece, std::uint64_t announced) {
  scratch::folder folder;
  if (how.has_old_file) scratch::put(folder / "target", "old");
  scripted::script script;
  script.keeps_bytes = true;
  if (how.lacks_nameless) script.always["openat nameless"] = EOPNOTSUPP;
  if (how.lacks_noreplace) script.always["renameat2"] = EINVAL;
  auto writer = basic_atomic_file(folder / "target", how.options, scripted::ops{script}).open(announced);
  for (std::size_t at = 0; at < text.size(); at += piece) writer.write(detail::bytes_of(text.substr(at, piece)));
  CHECK(writer.commit() == how.options.durability);
  return script;
}

/// Position of the only call of this name; a test that looks for what is not there fails.
std::size_t only(const std::vector<std::string>& names, const std::string& name) {
  REQUIRE_MESSAGE(std::count(names.begin(), names.end(), name) == 1, name);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string publishing_call(const way& how) {
  if (how.options.mode == file_mode::replace) return "renameat target";
  return how.lacks_nameless && !how.lacks_noreplace ? "renameat2 target" : "linkat target";
}

/// What the folder and the file may look like after a power cut. A model: data may reach the disk in any part until it is synced,
/// a name may reach it at any time once it is given, and both are certain only after their sync.
std::set<std::string> states_after_cut(const std::vector<scripted::call>& trace, std::size_t calls_made, const std::string& old) {
  std::vector<std::string> unsynced;
  std::string synced;
  bool is_published = false, is_certain = false;
  for (std::size_t i = 0; i < calls_made; ++i) {
    const std::string &name = trace[i].name, &object = trace[i].object;
    if (name == "write") unsynced.push_back(trace[i].bytes);
    if (name == "fsync" && object == "file") {
      for (const auto& piece : unsynced) synced += piece;
      unsynced.clear();
    }
    if (object == "target" && (name.starts_with("rename") || name == "linkat")) is_published = true;
    if (name == "fsync" && object == "folder") is_certain = is_published;
  }
  std::set<std::string> states;
  if (!is_certain) states.insert(old);
  if (!is_published) return states;
  // Each unsynced piece: there, zeros, or (from there on) missing.
  std::vector<std::string> contents{synced};
  for (const auto& piece : unsynced) {
    std::vector<std::string> longer;
    for (const auto& begin : contents) {
      states.insert(begin);
      longer.push_back(begin + piece);
      longer.push_back(begin + std::string(piece.size(), '\0'));
    }
    contents = std::move(longer);
  }
  states.insert(contents.begin(), contents.end());
  return states;
}

std::string without_failed(scripted::script& script, const way& how) {
  // A call that the filesystem lacks did nothing.
  std::erase_if(script.trace, [&](const scripted::call& c) { return how.lacks_noreplace && c.name == "renameat2"; });
  return how.has_old_file ? "old" : "(no file)";
}

}  // namespace

TEST_CASE("the steps of a durable save come in their order: write, sync the file, give the name, sync the folder") {
  for (const way& how : ways_at(durability::power)) {
    const std::string text = scratch::pattern(3000000);
    const auto names = recorded_save(how, text, 700000, 3500000).names();
    const std::size_t published = only(names, publishing_call(how));
    const std::size_t file_synced = only(names, "fsync file");
    const std::size_t folder_synced = only(names, "fsync folder");
    const std::size_t reserved = only(names, "fallocate file");
    const std::size_t closed = only(names, "close file");
    const std::size_t cut = only(names, "ftruncate file");
    REQUIRE(std::count(names.begin(), names.end(), "write file") > 2);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != "write file") continue;
      CHECK(reserved < i);
      CHECK(i < cut);
    }
    CHECK(cut < file_synced);
    CHECK(file_synced < published);
    CHECK(published < folder_synced);
    const bool is_named = how.options.mode == file_mode::replace || how.lacks_nameless;
    if (is_named) CHECK(closed < published);
    if (is_named) CHECK(file_synced < closed);
    if (how.has_old_file) CHECK(only(names, "fchmod file") < file_synced);
    CHECK(names.back() == "close folder");
    CHECK(names.front() == "openat folder");
  }
}

TEST_CASE("a save that need not survive a power cut syncs nothing and is otherwise the same") {
  for (const auto level : {durability::process, durability::none}) {
    for (const way& how : ways_at(level)) {
      const auto names = recorded_save(how, scratch::pattern(std::size_t{17} << 20), 700000, std::size_t{17} << 20).names();
      for (const auto& name : names) {
        CHECK(name.find("sync") == std::string::npos);
        if (level == durability::none) CHECK(name.find("fallocate") == std::string::npos);
      }
      only(names, publishing_call(how));
      only(names, "close file");
    }
  }
}

TEST_CASE("write-out starts every 16 MiB, so that the final sync is short") {
  const std::size_t size = (std::size_t{50} << 20) + 1;
  for (const std::size_t piece : {std::size_t{100000}, std::size_t{3} << 20, size}) {
    const auto script = recorded_save(ways_at(durability::power)[2], scratch::pattern(size), piece, size);
    std::uint64_t written = 0;
    int started = 0;
    for (const auto& call : script.trace) {
      if (call.name == "write") CHECK(call.bytes.size() <= (std::size_t{1} << 30));
      written += call.bytes.size();
      if (call.name != "sync_file_range") continue;
      ++started;
      CHECK(written == static_cast<std::uint64_t>(started) << 24);
    }
    CHECK(started == 3);
    CHECK(written == size);
  }
}

TEST_CASE("a power cut between any two steps leaves the old file or the new one, and an acknowledged save is there") {
  const std::string text = scratch::pattern(2500);
  for (const way& how : ways_at(durability::power)) {
    auto script = recorded_save(how, text, 2500, 2500);
    // As three pieces, which a disk may keep in any part.
    for (std::size_t i = 0; i < script.trace.size(); ++i) {
      if (script.trace[i].name != "write") continue;
      auto pieces = std::vector<scripted::call>(3, script.trace[i]);
      for (std::size_t p = 0; p < 3; ++p) pieces[p].bytes = text.substr(p * 1000, 1000);
      script.trace.erase(script.trace.begin() + static_cast<std::ptrdiff_t>(i));
      script.trace.insert(script.trace.begin() + static_cast<std::ptrdiff_t>(i), pieces.begin(), pieces.end());
      break;
    }
    const std::string old = without_failed(script, how);
    for (std::size_t made = 0; made <= script.trace.size(); ++made) {
      for (const auto& state : states_after_cut(script.trace, made, old)) CHECK((state == old || state == text));
    }
    CHECK((states_after_cut(script.trace, script.trace.size(), old) == std::set<std::string>{text}));

    // The model is worth something: it sees what each sync is for.
    for (const char* skipped : {"file", "folder"}) {
      auto weaker = script.trace;
      std::erase_if(weaker, [&](const scripted::call& c) { return c.name == "fsync" && c.object == skipped; });
      bool is_safe = true;
      for (std::size_t made = 0; made <= weaker.size(); ++made) {
        for (const auto& state : states_after_cut(weaker, made, old)) is_safe = is_safe && (state == old || state == text);
      }
      is_safe = is_safe && states_after_cut(weaker, weaker.size(), old) == std::set<std::string>{text};
      CHECK_FALSE(is_safe);
    }
  }
}
