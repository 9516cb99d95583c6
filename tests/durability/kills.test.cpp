// SPDX-License-Identifier: BSL-1.0
// tests/durability/kills.test.cpp: SIGKILL before and after every call of every scenario, and at random times over a child that saves on and on.
#include <doctest/doctest.h>
#include "rig.hpp"
#include "scenarios.hpp"
#include "sink/child.hpp"
#include "sink/scratch.hpp"

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace durability;

namespace {

/// Runs the scenario in a child that dies at a call. Returns whether it did.
bool killed_at(const scenario& s, const std::string& folder, const promises& to, int number, bool is_after) {
  const std::string end = child::outcome_of([&] {
    real_system system;
    watch by{.lacks = s.lacks};
    const auto kill = [&](const call& c) {
      if (c.number == number) ::raise(SIGKILL);
    };
    if (is_after) by.after = kill;
    else by.before = [&](const call& c) { return kill(c), 0; };
    s.run(ops(system, by), folder, to.record());
    return 0;
  });
  // Where a child of the child saves, it is the one that may be killed, and the save then fails.
  const bool was_killed = end == "signal 9" || (s.forks && end == "exit 99");
  CHECK((was_killed || end == "exit 0"));
  return was_killed;
}

}  // namespace

TEST_CASE("a process killed before or after any call of any scenario leaves the old checkpoint or the new one, and every promise kept") {
  std::size_t kills = 0;
  const std::size_t stride = slowdown > 1 ? 5 : 1;
  for (const scenario& s : scenarios()) {
    CAPTURE(s.name);
    const scratch::folder folder;
    promises promised;
    for (const bool is_after : {false, true}) {
      for (std::size_t n = 0;; n += stride) {
        CAPTURE(n);
        {
          real_system system;
          watch by{.lacks = s.lacks};
          s.prepare(ops(system, by), folder.path());
        }
        promised.reset(s.before);
        const bool was_killed = killed_at(s, folder.path(), promised, static_cast<int>(n), is_after);
        kills += was_killed;
        CHECK(fault_in(s, folder.path(), promised.acknowledged(), promised.begun()) == "");
        if (s.sweeps && scratch::fs::exists(folder / "run")) CHECK(orphans_in(folder / "run") == 0);
        empty_folder(folder.path());
        if (!was_killed) break;
      }
    }
  }
  MESSAGE(kills << " kills");
}

TEST_CASE("a process killed at random times in any scenario leaves the old checkpoint or the new one, and every promise kept") {
  std::mt19937 random(static_cast<unsigned>(setting("TIDEMARK_SEED", 1)));
  const std::size_t rounds = setting("TIDEMARK_KILLS", 500 / slowdown) / 50;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const scenario& s : scenarios()) {
      CAPTURE(s.name);
      const scratch::folder folder;
      promises promised;
      real_system system;
      watch by{.lacks = s.lacks};
      s.prepare(ops(system, by), folder.path());
      promised.reset(s.before);
      const pid_t pid = ::fork();
      if (pid == 0) {
        try {
          watch own{.lacks = s.lacks};
          s.run(ops(system, own), folder.path(), promised.record());
        } catch (...) {
          ::_exit(9);
        }
        ::_exit(0);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(300 + random() % 2000));
      ::kill(pid, SIGKILL);
      int status = 0;
      ::waitpid(pid, &status, 0);
      CHECK((status == 0 || status == SIGKILL));
      CHECK(fault_in(s, folder.path(), promised.acknowledged(), promised.begun()) == "");
      if (s.sweeps) CHECK(orphans_in(folder / "run") == 0);
    }
  }
}

TEST_CASE("a run that is killed again and again resumes each time at the state it promised or a newer one, and is swept") {
  const std::size_t kills = setting("TIDEMARK_KILLS", 500 / slowdown);
  std::mt19937 random(static_cast<unsigned>(setting("TIDEMARK_SEED", 1)));
  std::size_t in_a_save = 0;
  int saved = 0;
  for (int style = 0; style < run_styles; ++style) {
    CAPTURE(style);
    const scratch::folder folder;
    const std::string run = folder / "run";
    promises promised;
    promised.reset(0);
    for (std::size_t kill = 0; kill < kills / run_styles; ++kill) {
      CAPTURE(kill);
      const int before = promised.acknowledged();
      const pid_t pid = ::fork();
      if (pid == 0) {
        try {
          run_on_and_on(run, style, before, promised.record());
        } catch (const std::exception& e) {
          std::cerr << e.what() << std::endl;
        } catch (...) {
        }
        ::_exit(8);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 6000 * (slowdown > 1 ? 10 : 1)));
      ::kill(pid, SIGKILL);
      int status = 0;
      ::waitpid(pid, &status, 0);
      REQUIRE(status == SIGKILL);  // else it did not resume where it should, or met an error
      if (!scratch::fs::exists(run)) continue;
      in_a_save += orphans_in(run) != 0;
      real_system system;
      watch by;
      const found at = newest_in_run(ops(system, by), run);
      REQUIRE(at.defect == "");
      REQUIRE(at.oldest >= promised.acknowledged());
      REQUIRE(at.newest <= promised.begun());
      REQUIRE(orphans_in(run) == 0);
      promised.reset(at.newest);
    }
    saved += promised.acknowledged();
  }
  MESSAGE(kills << " kills over " << saved << " saves, " << in_a_save << " of which left something to sweep");
  if (kills >= 100) CHECK(in_a_save > 0);
}
