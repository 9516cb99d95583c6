// SPDX-License-Identifier: BSL-1.0
// tests/sink/atomic_file_kill.test.cpp: kills and real limits: SIGKILL at every call, a full filesystem, a limit on file sizes.
#include <tidemark/sink/atomic_file.hpp>

#include <doctest/doctest.h>
#include "child.hpp"
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <csignal>
#include <string>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace tidemark;
using scratch::content;

TEST_CASE("a save killed at any call leaves the old file or the new one whole, and nameless files leave nothing") {
  const std::string text = scratch::pattern(3000000);
  for (const auto mode : {file_mode::replace, file_mode::create_new}) {
    for (const bool lacks_nameless : {false, true}) {
      if (lacks_nameless && mode == file_mode::replace) continue;
      for (const bool has_old_file : {false, true}) {
        if (has_old_file && mode == file_mode::create_new) continue;
        for (const bool kills_after : {false, true}) {
          scratch::folder folder;
          const std::string path = folder / "file";
          const std::string old = has_old_file ? "the old file" : "(no file)";
          bool is_killed = true, was_new = false;
          for (int n = 0; is_killed; ++n) {
            CAPTURE(n);
            scratch::fs::remove(path);
            if (has_old_file) scratch::put(path, old);
            const std::string end = child::outcome_of([&] {
              scripted::script script;
              script.kill_at = n;
              script.kills_after = kills_after;
              if (lacks_nameless) script.always["openat nameless"] = EOPNOTSUPP;
              scratch::save_text(basic_atomic_file(path, {.mode = mode}, scripted::ops{script}), text, 700000);
              return 0;
            });
            is_killed = end == "signal 9";
            CHECK((is_killed || end == "exit 0"));
            const std::string found = content(path);
            CHECK((found == old || found == text));
            if (was_new) CHECK((found == text));  // once visible, at every later call too
            was_new = found == text;
            if (mode == file_mode::create_new && !lacks_nameless) CHECK(folder.leftovers() == 0);
            CHECK(folder.entries() == folder.leftovers() + (found == "(no file)" ? 0 : 1));
            for (const auto& entry : scratch::fs::directory_iterator(folder.path())) scratch::fs::remove(entry.path());
          }
          CHECK(was_new);
        }
      }
    }
  }
}

TEST_CASE("what a killed save left does not hinder the next one") {
  scratch::folder folder;
  for (int i = 0; i < 3; ++i) {
    child::outcome_of([&] {
      auto writer = atomic_file(folder / "file").open(10);
      ::raise(SIGKILL);
      return 0;
    });
  }
  CHECK(folder.leftovers() == 3);
  scratch::save_text(atomic_file(folder / "file"), "new");
  CHECK(content(folder / "file") == "new");
  CHECK(folder.leftovers() == 3);  // another process may be at work on them; who holds the writer's lock may remove them
}

TEST_CASE("a full filesystem is an error that says how much is needed, and the old file stays") {
  scratch::folder folder;
  // A mount of its own needs root and goes with the child, whatever happens to it.
  const std::string end = child::outcome_of([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tidemark", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
      return 77;
    }
    const std::string path = folder / "file";
    scratch::save_text(atomic_file(path), "the old file");
    int done = 0;
    for (const auto mode : {file_mode::replace, file_mode::create_new}) {
      for (const auto level : {durability::power, durability::none}) {
        for (const std::size_t size : {std::size_t{600000}, std::size_t{3000000}}) {  // found when writing, when reserving
          for (const std::size_t announced : {size, std::size_t{0}}) {
            const std::string target = mode == file_mode::replace ? path : folder / "new";
            const std::string text = scratch::pattern(size);
            const auto failure = scratch::failure_of([&] {
              auto writer = atomic_file(target, {.mode = mode, .durability = level}).open(announced);
              for (std::size_t at = 0; at < size; at += 1000) writer.write(detail::bytes_of(std::string_view(text).substr(at, 1000)));
              writer.commit();
            });
            if (!failure || failure->code() != errc::no_space || failure->system() != ENOSPC) return 1;
            if (announced != 0 && failure->expected() != std::to_string(size) + " bytes of space") return 2;
            if (content(path) != "the old file" || folder.entries() != 1) return 3;
            ++done;
          }
        }
      }
    }
    scratch::save_text(atomic_file(path), scratch::pattern(100000));  // and what fits is saved
    return content(path) == scratch::pattern(100000) && done == 16 ? 0 : 4;
  });
  if (end == "exit 77") {
    MESSAGE("skipped: only root may mount a small filesystem");
    return;
  }
  CHECK(end == "exit 0");
}

TEST_CASE("a limit on file sizes is an error that names it, and the old file stays") {
  scratch::folder folder;
  const std::string path = folder / "file";
  scratch::put(path, "the old file");
  CHECK(child::outcome_of([&] {
          ::signal(SIGXFSZ, SIG_IGN);
          const rlimit limit{200000, 200000};
          if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
          for (const std::size_t size : {std::size_t{300000}, std::size_t{3000000}}) {
            const auto failure = scratch::failure_of([&] { scratch::save_text(atomic_file(path), scratch::pattern(size), 1000); });
            if (!failure || failure->code() != errc::io || failure->system() != EFBIG) return 2;
            if (std::string(failure->what()).find("ulimit -f") == std::string::npos) return 3;
            if (content(path) != "the old file" || folder.entries() != 1) return 4;
          }
          return 0;
        }) == "exit 0");
}

TEST_CASE("when no descriptor is left, a save and a load say so") {
  scratch::folder folder;
  const std::string path = folder / "file";
  scratch::put(path, "the old file");
  for (rlim_t left : {0u, 1u}) {
    CHECK(child::outcome_of([&] {
            const int next = ::dup(0);
            const rlimit limit{static_cast<rlim_t>(next) + left, static_cast<rlim_t>(next) + left};
            ::close(next);
            if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
            for (const auto mode : {file_mode::replace, file_mode::create_new}) {
              const auto failure =
                  scratch::failure_of([&] { scratch::save_text(atomic_file(mode == file_mode::replace ? path : folder / "b", {.mode = mode}), "new"); });
              if (!failure || failure->code() != errc::io || failure->system() != EMFILE) return 2;
              if (std::string(failure->what()).find("ulimit -n") == std::string::npos) return 3;
            }
            return 0;
          }) == "exit 0");
    CHECK(content(path) == "the old file");
    CHECK(folder.entries() == 1);
  }
}
