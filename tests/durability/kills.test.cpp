// SPDX-License-Identifier: BSL-1.0
// tests/durability/kills.test.cpp: SIGKILL before and after every call of every scenario, and at random times over a child that saves on and on.
#include <doctest/doctest.h>
#include "rig.hpp"
#include "scenarios.hpp"
#include "sink/child.hpp"
#include "sink/scratch.hpp"

#include <chrono>
#include <csignal>
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
  CHECK((end == "signal 9" || end == "exit 0"));
  return end == "signal 9";
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
        if (s.sweeps) CHECK(orphans_in(folder.path()) == 0);
        empty_folder(folder.path());
        if (!was_killed) break;
      }
    }
  }
  MESSAGE(kills << " kills");
}

TEST_CASE("a process killed at random times leaves the old checkpoint or the new one, and every promise kept") {
  const std::size_t kills = setting("TIDEMARK_KILLS", 500 / slowdown);
  std::mt19937 random(static_cast<unsigned>(setting("TIDEMARK_SEED", 1)));
  std::size_t done = 0, with_orphans = 0;
  // The time a scenario takes is measured, so that the kills fall all over it and not behind its end.
  while (done < kills) {
    for (const scenario& s : scenarios()) {
      if (done == kills) break;
      CAPTURE(s.name);
      CAPTURE(done);
      const scratch::folder folder;
      promises promised;
      real_system system;
      watch by{.lacks = s.lacks};
      s.prepare(ops(system, by), folder.path());
      promised.reset(s.before);
      std::chrono::microseconds longest{0};
      for (int round = 0; round < 2; ++round) {  // the second goes on from what the first left, if it can
        const auto start = std::chrono::steady_clock::now();
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
        if (round == 0) {
          int status = 0;
          ::waitpid(pid, &status, 0);
          longest = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
          CHECK(status == 0);
          CHECK(fault_in(s, folder.path(), promised.acknowledged(), promised.begun()) == "");
          empty_folder(folder.path());
          s.prepare(ops(system, by), folder.path());
          promised.reset(s.before);
          continue;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<unsigned>(longest.count() + 1)));
        ::kill(pid, SIGKILL);
        int status = 0;
        ::waitpid(pid, &status, 0);
        ++done;
        with_orphans += orphans_in(folder.path()) != 0;
        CHECK(fault_in(s, folder.path(), promised.acknowledged(), promised.begun()) == "");
        if (s.sweeps) CHECK(orphans_in(folder.path()) == 0);
      }
    }
  }
  MESSAGE(done << " kills, " << with_orphans << " in the middle of a save");
  if (kills >= 100) CHECK(with_orphans > 0);
}
