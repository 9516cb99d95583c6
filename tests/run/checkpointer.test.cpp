// SPDX-License-Identifier: BSL-1.0
// run/checkpointer.hpp: when a run saves, when it stops, and its last save.
#include "run_tests.hpp"

#include <chrono>
#include <csignal>
#include <limits>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>

using namespace tidemark;
using namespace std::chrono_literals;

namespace {

/// Ticks from step 1 on; the steps at which it saved.
step_list saves_of(checkpointer& run, std::uint64_t last, std::uint64_t first = 1) {
  step_list saved;
  for (std::uint64_t step = first; step <= last; ++step) {
    if (run.tick(at_step(step), step).saved) saved.push_back(step);
  }
  return saved;
}

}  // namespace

TEST_CASE("a run saves at every multiple of every_steps, or at the first tick behind one") {
  const scratch::folder place;
  checkpointer run{place / "run", {.every_steps = 10, .keep_last = 100}};
  CHECK(saves_of(run, 35) == step_list{10, 20, 30});
  CHECK(steps_in(place / "run") == step_list{10, 20, 30});
  CHECK(run.tick(at_step(47), 47).saved);
  CHECK(!run.tick(at_step(47), 47).saved);  // the same step once
  CHECK(!run.tick(at_step(49), 49).saved);
  CHECK(run.tick(at_step(50), 50).saved);
  CHECK(scratch::content(place / "run/latest") == "step-50-5.safetensors\n");
}

TEST_CASE("a run saves by the clock, and whichever comes first") {
  const scratch::folder place;
  checkpointer often{place / "often", {.every = 1ns}};
  CHECK(saves_of(often, 3) == step_list{1, 2, 3});
  checkpointer both{place / "both", {.every_steps = 10, .every = 100h}};
  CHECK(saves_of(both, 20) == step_list{10, 20});
  checkpointer never{place / "never", {}};
  CHECK(saves_of(never, 20).empty());
  checkpointer huge{place / "huge", {.every = std::chrono::duration<double>(1e300)}};
  CHECK(saves_of(huge, 20).empty());
  checkpointer endless{place / "endless", {.every = std::chrono::duration<double>(std::numeric_limits<double>::infinity())}};
  CHECK(saves_of(endless, 20).empty());
  for (const double wrong : {-1.0, -1e300, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(scratch::code_of([&] { checkpointer refused(place / "refused", {.every = std::chrono::duration<double>(wrong)}); }) == "invalid_value");
  }
}

TEST_CASE("after resume the first tick does not save, and the count goes on") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {.every_steps = 10}};
    CHECK(saves_of(run, 25) == step_list{10, 20});
  }
  checkpointer run{place / "run", {.every_steps = 10}};
  counters state;
  const auto at = run.resume(state);
  REQUIRE(at);
  CHECK(at->step == 20);
  CHECK(at->sequence == 2);
  CHECK(state == at_step(20));
  CHECK(!run.tick(state, 20).saved);
  CHECK(saves_of(run, 40, 21) == step_list{30, 40});
}

TEST_CASE("a save that fails in a tick throws, and the next ticks work") {
  const scratch::folder place;
  checkpointer run{place / "run", {.every_steps = 10}};
  CHECK(saves_of(run, 10) == step_list{10});
  fs::rename(place / "run", place / "moved");  // its folder is gone from its path
  CHECK(scratch::code_of([&] { static_cast<void>(run.tick(at_step(20), 20)); }) == "not_found");
  CHECK(!run.tick(at_step(21), 21).saved);     // a full disk is not tried at every tick
  fs::rename(place / "moved", place / "run");
  CHECK(run.tick(at_step(30), 30).saved);
  CHECK(steps_in(place / "run") == step_list{10, 30});
  counters state;
  CHECK(run.resume(state)->step == 30);
}

TEST_CASE("what no later save could do is refused by the first tick") {
  const scratch::folder place;
  const auto refused = [&](const char* name, metadata_list metadata) {
    checkpointer run{place / name, {.every_steps = 1000, .metadata = std::move(metadata)}};
    const auto code = scratch::code_of([&] { static_cast<void>(run.tick(at_step(1), 1)); });
    CHECK(steps_in(place / name).empty());
    return code;
  };
  CHECK(refused("large", {{"note", std::string(101'000'000, 'x')}}) == "limit");
  CHECK(refused("taken", {{"step", "5"}}) == "unsupported");
  CHECK(refused("text", {{"note", "\xff"}}) == "unsupported");
  metadata_list many;
  for (int i = 0; i < 5000; ++i) many.emplace_back(std::to_string(i), "");
  CHECK(refused("many", many) == "limit");
}

TEST_CASE("options that nobody can mean are refused by the constructor") {
  const scratch::folder place;
  CHECK(scratch::code_of([&] { checkpointer run(place / "run", {.keep_last = 0}); }) == "invalid_value");
  CHECK(scratch::code_of([&] { checkpointer run(place / "run", {.keep_best = {{""}}}); }) == "invalid_value");
  CHECK(scratch::code_of([&] { checkpointer run(place / "run", {.every = -1s}); }) == "invalid_value");
  CHECK(scratch::code_of([&] { checkpointer run(place / "run", {.shards = sharding{.shards = 0, .max_shard_bytes = 0}}); }) == "unsupported");
  CHECK(!fs::exists(place / "run"));
}

TEST_CASE("a compression by which nothing could be read again is refused before anything is saved") {
  const scratch::folder place;
  for (const bool is_sharded : {false, true}) {
    const auto refused = [&](compression packed) {
      checkpointer_options options{.shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt};
      options.compression = std::move(packed);
      return scratch::code_of([&] { checkpointer run(place / "run", options); }) == "invalid_value";
    };
    compression one_way = xor_compression();
    one_way.unwrap = {};
    CHECK(refused(one_way));
    one_way = xor_compression();
    one_way.wrap = {};
    CHECK(refused(one_way));
    for (const std::string& suffix : {std::string("/xor"), std::string(".x r"), std::string(".\0", 2), std::string(".\xc3\xa4"), std::string("~"), std::string(250, 'x')}) {
      compression odd = xor_compression();
      odd.suffix = suffix;
      CHECK(refused(odd));
    }
    CHECK(!fs::exists(place / "run"));
  }
  checkpointer run{place / "run", {.shards = sharding{.shards = 2, .compression = xor_compression()}}};  // that of the run counts: none
  run.save(at_step(1), 1);
  counters state;
  CHECK(run.resume(state)->step == 1);
}

TEST_CASE("a stop token is obeyed at once, and the last save is made all the same") {
  const scratch::folder place;
  std::stop_source stop;
  checkpointer run{place / "run", {.every_steps = 10, .cancel = stop.get_token()}};
  CHECK(!run.tick(at_step(5), 5).stop);
  stop.request_stop();
  const auto result = run.tick(at_step(10), 10);
  CHECK(result.stop);
  CHECK(!result.saved);
  CHECK(scratch::code_of([&] { run.save(at_step(11), 11); }) == "cancelled");
  CHECK(steps_in(place / "run").empty());
  run.finish(at_step(12), 12);
  CHECK(steps_in(place / "run") == step_list{12});
}

TEST_CASE("a background save that was cancelled says so in its future, and troubles nobody else") {
  const scratch::folder place;
  std::stop_source stop;
  checkpointer run{place / "run", {.background = background::staged, .cancel = stop.get_token()}};
  stop.request_stop();
  const auto pending = run.save_in_background(at_step(1), 1);
  CHECK(scratch::code_of([&] { pending.get(); }) == "cancelled");
  CHECK(run.tick(at_step(2), 2).stop);
  run.wait();
  run.finish(at_step(2));
  CHECK(steps_in(place / "run") == step_list{2});
}

TEST_CASE("near the deadline a run saves for the last time and stops") {
  const scratch::folder place;
  const auto now = std::chrono::steady_clock::now();
  checkpointer far{place / "far", {.deadline = now + 24h}};
  CHECK(!far.tick(at_step(1), 1).stop);
  for (const background how : {background::off, background::staged, background::fork}) {
    const std::string folder = place / ("near" + std::to_string(static_cast<int>(how)));
    checkpointer run{folder, {.background = how, .deadline = now + 500ms}};
    const auto result = run.tick(at_step(7), 7);
    CHECK(result.stop);
    CHECK(result.saved);
    const auto again = run.tick(at_step(7), 7);
    CHECK(!again.saved);
    run.finish(at_step(7));
    CHECK(steps_in(folder) == step_list{7});  // just this state is saved already
  }
}

TEST_CASE("before any save was measured the size of the state counts for the deadline") {
  const scratch::folder place;
  counters large{.weights = std::vector<float>(50'000'000)};  // 200 MB: 3 s, times 1.5
  checkpointer run{place / "run", {.deadline = std::chrono::steady_clock::now() + 4s}};
  CHECK(run.tick(large, 1).stop);
}

TEST_CASE("after SIGTERM, SIGINT or SIGUSR1 the next tick saves and says stop") {
  for (const int number : {SIGTERM, SIGINT, SIGUSR1}) {
    for (const background how : {background::off, background::staged}) {
      const scratch::folder place;
      CHECK(child::outcome_of([&] {
        for (const int s : {SIGTERM, SIGINT, SIGUSR1}) std::signal(s, SIG_DFL);
        counters state = at_step(5);
        checkpointer run{place / "run", {.every_steps = 1000, .background = how, .catch_signals = true}};
        if (run.tick(state, 5).stop) return 1;
        ::raise(number);
        state = at_step(6);
        const auto result = run.tick(state, 6);
        if (!result.stop || !result.saved) return 2;
        const auto again = run.tick(state, 6);
        if (!again.stop || again.saved) return 3;
        run.finish(state);
        return 0;
      }) == "exit 0");
      CHECK(steps_in(place / "run") == step_list{6});
    }
  }
}

TEST_CASE("a stop that comes at a step which was saved before the run went back saves it again") {
  for (const bool is_resumed : {false, true}) {
    const scratch::folder place;
    CHECK(child::outcome_of([&] {
      std::signal(SIGTERM, SIG_DFL);
      checkpointer run{place / "run", {.catch_signals = true}};
      run.save(at_step(10), 10);
      run.save(at_step(20), 20);
      counters state = at_step(10);
      if (is_resumed && run.resume(state, [](const counters& candidate) { return candidate.step == 10; })->step != 10) return 1;
      if (!is_resumed && run.tick(state, 10).saved) return 2;
      state = at_step(20);
      state.weights[0] = -1;
      ::raise(SIGTERM);
      const auto result = run.tick(state, 20);
      return result.stop && result.saved ? 0 : 3;
    }) == "exit 0");
    counters last;
    REQUIRE(resume(last, place / "run"));
    CHECK(last.weights[0] == -1);
  }
}

TEST_CASE("finish saves durably what is not saved so, and nothing twice") {
  for (const durability level : {durability::none, durability::process, durability::power}) {
    for (const background how : {background::off, background::staged, background::fork}) {
      for (const bool is_sharded : {false, true}) {
        const scratch::folder place;
        checkpointer run{place / "run", {.every_steps = 10, .keep_last = 100, .background = how, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .durability = level}};
        static_cast<void>(run.tick(at_step(10), 10, {{"loss", 0.5}}));
        run.finish(at_step(10));
        CHECK(steps_in(place / "run") == step_list{10});  // of a lower level it is made durable
        counters changed = at_step(10);
        changed.weights[50] += 1;
        run.finish(changed);  // changed after the tick
        counters back;
        const auto at = run.resume(back);
        CHECK(back == changed);
        CHECK(at->step == 10);
        CHECK(at->metrics == metric_list{{"loss", 0.5}});
        const auto count = steps_in(place / "run").size();
        run.finish(changed);
        CHECK(steps_in(place / "run").size() == count);
        run.finish(changed, 11);
        CHECK(steps_in(place / "run").back() == 11);
      }
    }
  }
}

TEST_CASE("finish without any tick saves under the step of the last save or resume") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {.keep_last = 10}};
    run.finish(at_step(0));
    CHECK(steps_in(place / "run") == step_list{0});
    run.save(at_step(100), 100);
    run.finish(at_step(100));
    CHECK(steps_in(place / "run") == step_list{0, 100});
    counters changed = at_step(100);
    changed.weights[0] = -1;
    run.finish(changed);
    CHECK(steps_in(place / "run") == step_list{0, 100, 100});
  }
  checkpointer run{place / "run", {.keep_last = 10}};
  counters state;
  REQUIRE(run.resume(state));
  state.weights[0] = -2;
  run.finish(state);
  CHECK(steps_in(place / "run") == step_list{0, 100, 100, 100});
}

TEST_CASE("a run that is started again and again with nothing to do keeps its checkpoints, and their metrics") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const checkpointer_options options{.every_steps = 1, .keep_last = 3, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt};
    counters state;
    for (int start = 0; start < 4; ++start) {
      checkpointer run{place / "run", options};
      const auto at = run.resume(state);
      for (std::uint64_t step = 1; !at && step <= 3; ++step) static_cast<void>(run.tick(state = at_step(step), step, {{"loss", 0.5}}));
      run.finish(state);
      CHECK(steps_in(place / "run") == step_list{1, 2, 3});
      if (at) CHECK(at->metrics == metric_list{{"loss", 0.5}});
    }
    // What is gone by then, or was saved otherwise, is saved anew.
    checkpointer run{place / "run", options};
    const auto at = run.resume(state);
    std::filesystem::remove_all(at->path);
    run.finish(state);
    CHECK(steps_in(place / "run") == step_list{2, 3});  // what somebody removed still counts among the last three
    counters back;
    CHECK(run.resume(back)->sequence == at->sequence + 1);
  }
  const scratch::folder place;
  checkpointer{place / "run"}.save(at_step(5), 5);
  counters state;
  {
    checkpointer run{place / "run", {.metadata = {{"host", "other"}}}};
    REQUIRE(run.resume(state));
    run.finish(state);
    CHECK(steps_in(place / "run") == step_list{5, 5});
    run.save(at_step(9), 9);
  }
  // One that is older than what was rejected has to become the newest.
  checkpointer run{place / "run", {.keep_last = 9, .metadata = {{"host", "other"}}}};
  REQUIRE(run.resume(state, [](const counters& c) { return c.step < 9; }));
  run.finish(state);
  CHECK(steps_in(place / "run") == step_list{5, 5, 9, 5});
  CHECK(run.resume(state)->step == 5);
}

TEST_CASE("an error of an earlier background save does not keep finish from saving, and is told") {
  const scratch::folder place;
  checkpointer run{place / "run", {.background = background::staged}};
  run.save(at_step(1), 1);
  fs::rename(place / "run", place / "moved");
  const auto pending = run.save_in_background(at_step(2), 2);
  pending.wait();
  fs::rename(place / "moved", place / "run");
  CHECK(scratch::code_of([&] { run.finish(at_step(3), 3); }) == "not_found");
  CHECK(steps_in(place / "run") == step_list{1, 3});
  run.finish(at_step(3), 3);
  CHECK(steps_in(place / "run") == step_list{1, 3});
}

TEST_CASE("the space is looked at first, and what is missing is said") {
  struct full_ops : file_ops {
    int fstatvfs(int, struct statvfs* into) const noexcept {
      *into = {};
      into->f_frsize = 1;
      into->f_blocks = 1000;
      into->f_bavail = 399;
      return 0;
    }
  };
  const scratch::folder place;
  basic_checkpointer<full_ops> run{place / "run", {.every_steps = 1}};
  const auto failure = scratch::failure_of([&] { run.save(at_step(1), 1); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::no_space);
  CHECK(failure->expected().find("408") != std::string::npos);
  CHECK(failure->found() == "399");
  CHECK(scratch::code_of([&] { run.save_in_background(at_step(1), 1); }) == "no_space");
  CHECK(scratch::code_of([&] { static_cast<void>(run.tick(at_step(2), 2)); }) == "no_space");
  CHECK(steps_in(place / "run").empty());
}

TEST_CASE("a save that fails before anything is written is not tried again at every tick") {
  struct full_ops : file_ops {
    bool* is_full = nullptr;
    int fstatvfs(int file, struct statvfs* into) const noexcept {
      const int result = file_ops::fstatvfs(file, into);
      if (*is_full) into->f_bavail = 0;
      return result;
    }
  };
  for (const background how : {background::off, background::staged, background::fork}) {
    const scratch::folder place;
    bool is_full = true;
    full_ops ops;
    ops.is_full = &is_full;
    basic_checkpointer<full_ops> run{place / "run", {.every_steps = 10, .background = how}, ops};
    step_list tried;
    for (std::uint64_t step = 1; step <= 40; ++step) {
      if (step == 35) is_full = false;
      if (scratch::code_of([&] { static_cast<void>(run.tick(at_step(step), step)); }) == "no_space") tried.push_back(step);
    }
    run.wait();
    CHECK(tried == step_list{10, 20, 30});
    CHECK(steps_in(place / "run") == step_list{40});
    is_full = true;
    CHECK(scratch::code_of([&] { run.finish(at_step(41), 41); }) == "no_space");
    is_full = false;
    run.finish(at_step(41));
    CHECK(steps_in(place / "run") == step_list{40, 41});
  }
}
