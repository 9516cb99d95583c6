// SPDX-License-Identifier: BSL-1.0
// tests/durability/scenarios.test.cpp: the saves that are proved, and that each of them does what it says when nothing fails.
#include "scenarios.hpp"

#include <tidemark/run/checkpointer.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/tee.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/sharded_directory.hpp>
#include <tidemark/store/sharded_source.hpp>

#include <doctest/doctest.h>
#include "disk.hpp"
#include "sink/scratch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace durability {
namespace {

using atomic_file = tidemark::basic_atomic_file<ops>;
using sharded_directory = tidemark::basic_sharded_directory<ops>;
using file_source = tidemark::basic_file_source<ops>;
using sharded_source = tidemark::basic_sharded_source<ops>;

/// Small, with arrays enough for three shards. Every member follows from the version.
struct state {
  std::uint64_t step = 0;
  std::vector<float> weights;
  std::vector<double> moments, losses;

  friend bool operator==(const state&, const state&) = default;
};

state state_at(int version) {
  const auto v = static_cast<std::uint64_t>(version);
  state s{v, std::vector<float>(33), std::vector<double>(17), std::vector<double>(v % 7)};
  for (std::size_t i = 0; i < s.weights.size(); ++i) s.weights[i] = static_cast<float>((v * 31 + i * 7) % 1009) + 0.25f;
  for (std::size_t i = 0; i < s.moments.size(); ++i) s.moments[i] = 1.0 / static_cast<double>(v + i + 1);
  for (std::size_t i = 0; i < s.losses.size(); ++i) s.losses[i] = static_cast<double>(i) - 0.5;
  return s;
}

/// The version at one place; 0 where there is none. Whatever else is wrong there is a defect.
template <class Open>
int version_at(Open open, std::string& defect) {
  try {
    const state loaded = tidemark::load<state>(open(), {.threads = 1});
    if (loaded == state_at(static_cast<int>(loaded.step))) return static_cast<int>(loaded.step);
    defect = "what was loaded as version " + std::to_string(loaded.step) + " is not what was saved";
  } catch (const tidemark::error& e) {
    if (e.code() == tidemark::errc::not_found) return 0;
    defect = e.what();
  }
  return 0;
}

found in_file(const ops& calls, const std::string& path) {
  found result;
  result.oldest = result.newest = version_at([&] { return file_source(path, calls); }, result.defect);
  return result;
}

std::string step_of(const std::string& folder, int version) { return folder + "/step-" + std::to_string(version); }

/// Names a version each: every one that is visible must be whole, and the newest counts.
template <class Open>
found newest_of(int versions, Open open) {
  found result;
  for (int v = versions; v > 0; --v) {
    std::string defect;
    const int there = version_at([&] { return open(v); }, defect);
    if (there != 0 && there != v) defect = "version " + std::to_string(there) + " lies where " + std::to_string(v) + " belongs";
    if (!defect.empty()) result.defect = defect;
    result.newest = std::max(result.newest, there);
  }
  result.oldest = result.newest;
  return result;
}

void save_file(const ops& calls, const std::string& path, int version, const progress& to, tidemark::atomic_file_options options = {}) {
  to.begin(version);
  tidemark::save(state_at(version), atomic_file(path, options, calls));
  to.acknowledge(version);
}

void save_shards(const ops& calls, const std::string& folder, int version, const progress& to, tidemark::sharding how) {
  to.begin(version);
  tidemark::save(state_at(version), sharded_directory(step_of(folder, version), std::move(how), calls));
  to.acknowledge(version);
}

scenario in_one_file(std::string name, int before, int saves, tidemark::durability level = tidemark::durability::power) {
  return {.name = std::move(name),
          .before = before,
          .prepare = [=](const ops& calls, const std::string& folder) {
            for (int v = 1; v <= before; ++v) save_file(calls, folder + "/last", v, {});
          },
          .run = [=](const ops& calls, const std::string& folder, const progress& to) {
            for (int v = before + 1; v <= before + saves; ++v) save_file(calls, folder + "/last", v, to, {.durability = level});
          },
          .read = [](const ops& calls, const std::string& folder) { return in_file(calls, folder + "/last"); },
          .is_durable = level == tidemark::durability::power};
}

scenario in_new_files(std::string name, std::map<std::string, int> lacks) {
  const tidemark::atomic_file_options options{.mode = tidemark::file_mode::create_new};
  return {.name = std::move(name),
          .before = 1,
          .prepare = [=](const ops& calls, const std::string& folder) { save_file(calls, step_of(folder, 1), 1, {}, options); },
          .run = [=](const ops& calls, const std::string& folder, const progress& to) {
            for (int v = 2; v <= 3; ++v) save_file(calls, step_of(folder, v), v, to, options);
          },
          .read = [](const ops& calls, const std::string& folder) {
            return newest_of(3, [&](int v) { return file_source(step_of(folder, v), calls); });
          },
          .lacks = std::move(lacks)};
}

scenario in_shards(std::string name, int before, int saves, tidemark::sharding how, std::map<std::string, int> lacks = {}) {
  return {.name = std::move(name),
          .before = before,
          .prepare = [=](const ops& calls, const std::string& folder) {
            for (int v = 1; v <= before; ++v) save_shards(calls, folder, v, {}, how);
          },
          .run = [=](const ops& calls, const std::string& folder, const progress& to) {
            for (int v = before + 1; v <= before + saves; ++v) save_shards(calls, folder, v, to, how);
          },
          .read = [=](const ops& calls, const std::string& folder) {
            return newest_of(before + saves, [&](int v) { return sharded_source(step_of(folder, v), {}, calls); });
          },
          .lacks = std::move(lacks),
          .is_durable = how.durability == tidemark::durability::power,
          .threads = static_cast<int>(how.threads)};
}

scenario in_two_places() {
  const auto save_both = [](const ops& calls, const std::string& folder, int version, const progress& to) {
    to.begin(version);
    tidemark::save(state_at(version), tidemark::tee(atomic_file(folder + "/first", {}, calls), atomic_file(folder + "/second", {}, calls)));
    to.acknowledge(version);
  };
  return {.name = "tee",
          .before = 1,
          .prepare = [=](const ops& calls, const std::string& folder) { save_both(calls, folder, 1, {}); },
          .run = [=](const ops& calls, const std::string& folder, const progress& to) {
            for (int v = 2; v <= 3; ++v) save_both(calls, folder, v, to);
          },
          .read = [](const ops& calls, const std::string& folder) {
            const found first = in_file(calls, folder + "/first"), second = in_file(calls, folder + "/second");
            found both{std::min(first.newest, second.newest), std::max(first.newest, second.newest), first.defect + second.defect};
            if (both.defect.empty() && first.newest < second.newest) both.defect = "the second place is ahead of the first";
            return both;
          }};
}

using checkpointer = tidemark::basic_checkpointer<ops>;

tidemark::checkpointer_options style_of(int style) {
  tidemark::checkpointer_options options{.keep_last = 2};
  if (style == 1) options.shards = tidemark::sharding{.shards = 2, .threads = 1};
  if (style == 2) options.background = tidemark::background::staged;
  if (style == 3) options.background = tidemark::background::fork;
  return options;
}

/// `resume` in a program of its own, and the claims about what is left: every name that is visible is whole, as many as are to be kept are there,
/// nothing of an interrupted save is.
found in_run(const ops& calls, const std::string& folder) {
  found result;
  try {
    state s;
    {
      checkpointer run(folder, {.keep_last = 2}, calls);
      const auto at = run.resume(s);
      if (at) {
        result.oldest = result.newest = static_cast<int>(at->step);
        if (s != state_at(static_cast<int>(at->step))) result.defect = "what was resumed as step " + std::to_string(at->step) + " is not what was saved";
        for (const auto& skipped : at->skipped) result.defect += skipped.reason;
      }
    }
    const tidemark::detail::run_folder<ops> opened(calls, folder, false);
    int whole = 0;
    for (const auto& listed : opened.checkpoints()) {
      const tidemark::basic_checkpoint_source<ops> source(opened.path_of(listed.file), {}, calls);
      const state one = tidemark::load<state>(source, {.threads = 1});
      if (one != state_at(static_cast<int>(listed.name.step))) result.defect += listed.file + " is not what was saved";
      ++whole;
    }
    if (whole < std::min(2, result.newest)) result.defect += std::to_string(whole) + " checkpoints are left";
    for (const auto& entry : opened.entries()) {
      if (entry.name.starts_with(".") && entry.name != ".lock") result.defect += entry.name + " was not swept";
    }
  } catch (const tidemark::error& e) {
    result.defect += e.what();
  }
  return result;
}

/// As above; a child of a killed process may still be at its last save.
found in_run_when_free(const ops& calls, const std::string& folder) {
  for (int attempt = 0;; ++attempt) {
    found result = in_run(calls, folder);
    if (result.defect.find("another run writes") == std::string::npos || attempt == 1000) return result;
    ::usleep(5000);
  }
}

void save_step(checkpointer& run, int style, int version, const progress& to) {
  to.begin(version);
  if (style < 2) {
    run.save(state_at(version), static_cast<std::uint64_t>(version));
  } else {
    static_cast<void>(run.save_in_background(state_at(version), static_cast<std::uint64_t>(version)));
  }
  if (style < 2 || version % 2 == 0) {  // else two are under way at once
    run.wait();
    to.acknowledge(version);
  }
}

scenario in_a_run(std::string name, int before, int saves, int style, int prunes) {
  const auto go_on = [=](const ops& calls, const std::string& folder, int first, int last, const progress& to) {
    checkpointer run(folder + "/run", style_of(style), calls);
    state s;
    static_cast<void>(run.resume(s));
    for (int v = first; v <= last; ++v) save_step(run, style, v, to);
    run.wait();
    to.acknowledge(last);
  };
  return {.name = std::move(name),
          .before = before,
          .prepare = [=](const ops& calls, const std::string& folder) {
            if (before != 0) go_on(calls, folder, 1, before, {});
          },
          .run = [=](const ops& calls, const std::string& folder, const progress& to) { go_on(calls, folder, before + 1, before + saves, to); },
          .read = [](const ops& calls, const std::string& folder) { return in_run_when_free(calls, folder + "/run"); },
          .sweeps = true,
          .forks = style == 3,
          .spare_syncs = style == 1 ? 0 : prunes};
}

}  // namespace

found newest_in_run(const ops& calls, const std::string& folder) { return in_run_when_free(calls, folder); }

void run_on_and_on(const std::string& folder, int style, int promised, const progress& to) {
  real_system system;
  for (int at = promised;;) {
    watch by;
    checkpointer run(folder, style_of(style), ops(system, by));
    state s;
    const bool is_resumed = run.resume(s).has_value();
    if (static_cast<int>(s.step) < at || (is_resumed && s != state_at(static_cast<int>(s.step)))) return;
    at = static_cast<int>(s.step);
    for (int saves = 0; saves < 5; ++saves) save_step(run, style, ++at, to);
    run.wait();
    to.acknowledge(at);
  }
}

const std::vector<scenario>& scenarios() {
  static const std::vector<scenario> all{
      in_one_file("first save", 0, 1),
      in_one_file("replace", 1, 3),
      in_one_file("replace, level process", 1, 1, tidemark::durability::process),
      in_new_files("create new", {}),
      in_new_files("create new, no nameless files", {{"openat nameless", EOPNOTSUPP}}),
      in_new_files("create new, hard links only", {{"openat nameless", EOPNOTSUPP}, {"renameat2", EINVAL}}),
      in_two_places(),
      in_shards("first shards", 0, 1, {.shards = 3, .threads = 1}),
      in_shards("more shards", 1, 2, {.shards = 3, .threads = 1}),
      in_shards("shards, level process", 1, 1, {.shards = 3, .threads = 1, .durability = tidemark::durability::process}),
      in_shards("shards, renamed without a flag", 1, 1, {.shards = 2, .threads = 1}, {{"renameat2", EINVAL}}),
      in_shards("shards by three threads", 1, 1, {.shards = 3, .threads = 3}),
      in_a_run("a new run", 0, 1, 0, 0),
      in_a_run("a run that prunes", 3, 2, 0, 2),
      in_a_run("a run of shards that prunes", 2, 2, 1, 2),
      in_a_run("a run saved by a thread", 3, 2, 2, 2),
      in_a_run("a run saved by a child", 3, 2, 3, 2),
  };
  return all;
}

const std::vector<soak_run>& soak_runs() {
  static std::vector<soak_run> all{{"replace", [](const std::string& folder, int saves, const std::function<void(int)>& after) {
    real_system system;
    watch by;
    for (int i = 1; i <= saves; ++i) {
      save_file(ops(system, by), folder + "/last", i, {});
      after(i);
    }
  }}};
  static const bool is_complete = [] {
    for (int style = 0; style < run_styles; ++style) {
      const auto saves_of = [style](const std::string& folder, int saves, const std::function<void(int)>& after) {
        real_system system;
        watch by;
        checkpointer run(folder, style_of(style), ops(system, by));
        for (int i = 1; i <= saves; ++i) {
          if (style < 2) run.save(state_at(i), static_cast<std::uint64_t>(i));
          else run.save_in_background(state_at(i), static_cast<std::uint64_t>(i)).get();
          run.wait();
          after(i);
        }
      };
      all.push_back({"run of style " + std::to_string(style), saves_of});
    }
    return true;
  }();
  static_cast<void>(is_complete);
  return all;
}

}  // namespace durability

using namespace durability;

TEST_CASE("every scenario of the proof saves what it says, on a disk in memory and on a real one") {
  for (const scenario& s : scenarios()) {
    CAPTURE(s.name);
    disk memory;
    real_system system;
    const scratch::folder real;
    for (const bool is_real : {false, true}) {
      if (s.forks && !is_real) continue;
      watch by{.lacks = s.lacks};
      const ops calls = is_real ? ops(system, by) : ops(memory, by);
      const std::string folder = is_real ? real.path() : "/";
      s.prepare(calls, folder);
      found at = s.read(calls, folder);
      CHECK(at.defect == "");
      CHECK(at.newest == s.before);
      int begun = s.before, acknowledged = s.before;
      s.run(calls, folder, {[&](int v) { begun = v; }, [&](int v) { acknowledged = v; }});
      at = s.read(calls, folder);
      CHECK(at.defect == "");
      CHECK(at.oldest == acknowledged);
      CHECK(at.newest == acknowledged);
      CHECK(acknowledged == begun);
      CHECK(acknowledged > s.before);
      if (!is_real) CHECK(memory.open_files() == 0);
    }
  }
}
