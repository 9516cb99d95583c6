// SPDX-License-Identifier: BSL-1.0
// tests/run/cadence.test.cpp: saves come when they are due, once a step, and in time before the deadline.
#include <tidemark/run/cadence.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace tidemark;
using namespace std::chrono_literals;

namespace {

struct fake_clock {
  using duration = std::chrono::milliseconds;
  using time_point = std::chrono::time_point<fake_clock, duration>;
};
using time_point = fake_clock::time_point;
using options = basic_cadence_options<fake_clock>;
using rhythm = basic_cadence<fake_clock>;

constexpr time_point start{1'000'000ms};
constexpr tick_decision none{};
constexpr tick_decision by_steps{save_reason::steps};
constexpr tick_decision by_time{save_reason::time};

/// The steps that are saved when these are ticked, a second apart.
std::vector<std::uint64_t> saved_of(rhythm cadence, const std::vector<std::uint64_t>& steps) {
  std::vector<std::uint64_t> saved;
  time_point now = start;
  for (const auto step : steps) {
    now += 1s;
    if (!cadence.due(step, now).is_due()) continue;
    saved.push_back(step);
    cadence.started(step, now);
  }
  return saved;
}

using step_list = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("every_steps saves at each multiple, or at the first tick behind it, wherever the run starts and however it counts") {
  for (std::uint64_t every = 1; every <= 9; ++every) {
    for (std::uint64_t stride = 1; stride <= 12; ++stride) {
      for (std::uint64_t from = 0; from <= 20; ++from) {
        rhythm cadence({.every_steps = every}, start);
        cadence.resumed(from, start);
        step_list ticked, expected;
        for (std::uint64_t step = from; step < from + 100; step += stride) {
          ticked.push_back(step);
          bool passes_multiple = false;
          for (std::uint64_t s = step - (step == from ? 0 : stride) + 1; s <= step; ++s) passes_multiple |= s % every == 0;
          if (passes_multiple) expected.push_back(step);
        }
        CHECK(saved_of(cadence, ticked) == expected);
      }
    }
  }
}

TEST_CASE("a new run starts at step 0: that is not due, step 1 is when each step is") {
  CHECK(saved_of(rhythm({.every_steps = 1}, start), {0, 1, 2}) == step_list{1, 2});
  CHECK(saved_of(rhythm({.every_steps = 1}, start), {1, 2}) == step_list{1, 2});
  CHECK(saved_of(rhythm({.every_steps = 5}, start), {0, 1, 2, 5, 6, 11}) == step_list{5, 11});
}

TEST_CASE("the first tick after a resume is not due by itself, the next multiple is") {
  rhythm cadence({.every_steps = 10, .every = 60s}, start);
  cadence.resumed(40, start + 1000s);
  CHECK(cadence.due(40, start + 1001s) == none);
  CHECK(cadence.due(41, start + 1002s) == none);
  CHECK(cadence.due(50, start + 1003s) == by_steps);
  cadence.resumed(43, start + 1004s);
  CHECK(cadence.due(44, start + 1005s) == none);
  CHECK(cadence.due(50, start + 1006s) == by_steps);
}

TEST_CASE("two ticks with one step save once, also when time passes; a save that was put off stays due") {
  rhythm cadence({.every_steps = 5, .every = 60s}, start);
  CHECK(cadence.due(5, start + 1s) == by_steps);
  CHECK(cadence.due(5, start + 2s) == by_steps);  // nobody has saved yet
  CHECK(cadence.due(6, start + 3s) == by_steps);
  cadence.started(6, start + 3s);
  CHECK(cadence.due(6, start + 3s) == none);
  CHECK(cadence.due(6, start + 300s) == none);
  CHECK(cadence.due(7, start + 301s) == by_time);
  cadence.started(7, start + 301s);
  CHECK(cadence.due(9, start + 302s) == none);
  CHECK(cadence.due(10, start + 303s) == by_steps);  // a save between multiples moves none
}

TEST_CASE("every saves by the wall clock, counted from the start of the last save, whichever reason that had") {
  rhythm cadence({.every_steps = 1000, .every = 10s}, start);
  CHECK(cadence.due(1, start + 9999ms) == none);
  CHECK(cadence.due(2, start + 10s) == by_time);
  cadence.started(2, start + 10s);
  CHECK(cadence.due(3, start + 19999ms) == none);
  CHECK(cadence.due(1000, start + 19999ms) == by_steps);
  cadence.started(1000, start + 19999ms);
  CHECK(cadence.due(1001, start + 29998ms) == none);
  CHECK(cadence.due(1002, start + 29999ms) == by_time);
  rhythm only_time({.every = 10s}, start);
  CHECK(only_time.due(1'000'000, start + 9s) == none);
  CHECK(only_time.due(0, start + 10s) == none);  // see below: it went back
  rhythm neither({}, start);
  CHECK(neither.due(1'000'000, start + 1'000'000s) == none);
  rhythm longest({.every = (fake_clock::duration::max)()}, start);
  CHECK(longest.due(1, start + 1'000'000s) == none);
}

TEST_CASE("steps may go back: they count anew from there, and where they went back to is not due by itself") {
  CHECK(saved_of(rhythm({.every_steps = 5}, start), {1, 5, 9, 3, 4, 5, 6, 10}) == step_list{5, 5, 10});
  CHECK(saved_of(rhythm({.every_steps = 5}, start), {5, 10, 12, 10, 10, 11, 15}) == step_list{5, 10, 15});
  CHECK(saved_of(rhythm({.every_steps = 5}, start), {5, 7, 0, 1, 5}) == step_list{5, 5});
  CHECK(saved_of(rhythm({.every_steps = 1}, start), {1, 2, 1, 2, 3}) == step_list{1, 2, 2, 3});
  rhythm cadence({.every = 10s}, start);
  CHECK(cadence.due(100, start + 1s) == none);
  CHECK(cadence.due(50, start + 20s) == none);
  CHECK(cadence.due(50, start + 21s) == none);
  CHECK(cadence.due(51, start + 22s) == by_time);
  rhythm by_hand({.every_steps = 10}, start);
  by_hand.started(500, start);  // a save outside of a tick
  CHECK(by_hand.due(500, start) == none);
  CHECK(by_hand.due(90, start) == none);
  CHECK(by_hand.due(100, start) == by_steps);
}

TEST_CASE("a clock that is set back delays no save by more than the interval") {
  rhythm cadence({.every = 10s}, start);
  CHECK(cadence.due(1, start - 5000s) == none);
  CHECK(cadence.due(2, start - 4991s) == none);
  CHECK(cadence.due(3, start - 4990s) == by_time);
}

TEST_CASE("a failed save leaves its step unsaved, and is not tried at every tick") {
  rhythm cadence({.every_steps = 5, .every = 10s}, start);
  CHECK(cadence.due(5, start + 1s) == by_steps);
  cadence.started(5, start + 1s);
  cadence.failed(5);
  CHECK(cadence.due(6, start + 2s) == none);
  CHECK(cadence.due(10, start + 3s) == by_steps);
  rhythm ending({.deadline = start}, start);
  ending.started(5, start);
  CHECK(ending.due(5, start) == tick_decision{save_reason::none, true});
  ending.failed(4);
  CHECK(ending.due(5, start) == tick_decision{save_reason::none, true});
  ending.failed(5);
  CHECK(ending.due(5, start) == tick_decision{save_reason::deadline, true});
}

TEST_CASE("the last save before a deadline is done in time, and not much too early, for every pace of steps and saves") {
  for (const auto tick : {1ms, 100ms, 1000ms, 30'000ms}) {
    for (const auto save : {0ms, 10ms, 1500ms, 60'000ms}) {
      for (const std::uint64_t every : {0u, 3u, 50u}) {
        const auto deadline = start + 600s;
        rhythm cadence({.every_steps = every, .deadline = deadline}, start);
        cadence.expect_bytes(static_cast<std::uint64_t>(save.count()) * 100'000);  // what 100 MB/s would write in that time
        time_point now = start;
        for (std::uint64_t step = 1;; ++step) {
          now += tick + tick / 10 * (step % 2);
          const auto decision = cadence.due(step, now);
          if (decision.is_due()) {
            cadence.started(step, now);
            now += save;
            cadence.finished(save);
          }
          cadence.returned(now);
          if (!decision.stop) continue;
          CHECK(decision.why == save_reason::deadline);
          break;
        }
        CHECK(now <= deadline);
        CHECK(now >= deadline - (2 * save + 3 * tick + 1501ms));
      }
    }
  }
}

TEST_CASE("a deadline that has passed stops the run, however long ago it was; one at the end of time never does") {
  for (const time_point deadline : {time_point::min(), time_point::min() + 1ms, time_point(-1ms), time_point(), start - 1h, start}) {
    rhythm cadence({.every_steps = 10, .deadline = deadline}, start);
    CHECK(cadence.due(1, start + 1s) == tick_decision{save_reason::deadline, true});
  }
  for (const time_point now : {time_point::min(), time_point(), start}) {
    rhythm cadence({.every_steps = 10, .deadline = time_point::max()}, now);
    CHECK(cadence.due(1, now) == none);
    CHECK(cadence.due(10, now + 1s) == by_steps);
  }
}

TEST_CASE("when to stop does not depend on where the clock stands") {
  for (int k = 0; k < 500; ++k) {
    const auto begin = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(1'234'567'890'123LL * k + k * k));
    cadence steady({.deadline = begin + 10s}, begin);
    steady.finished(2s);  // with safety 3 s, and 50 ms a step: 3.05 s before the end, which is at step 139
    for (int step = 1; step <= 139; ++step) REQUIRE(steady.due(static_cast<std::uint64_t>(step), begin + 50ms * step).stop == (step == 139));
  }
}

TEST_CASE("a clock may jump from one end of its range to the other, and back") {
  rhythm cadence({.every_steps = 10, .every = 1h}, time_point::min());
  CHECK(cadence.due(1, time_point::min()) == none);
  CHECK(cadence.due(2, time_point::max()) == by_time);
  cadence.started(2, time_point::max());
  CHECK(cadence.due(3, time_point::min()) == none);
  CHECK(cadence.due(4, time_point::min() + 59min) == none);
  CHECK(cadence.due(5, time_point::min() + 1h) == by_time);
  CHECK(cadence.due(11, time_point::min()) == by_steps);
}

TEST_CASE("near the deadline a step that is saved already is not saved again, but the run stops") {
  rhythm cadence({.every_steps = 1, .deadline = start + 10s}, start);
  cadence.finished(2s);
  CHECK(cadence.due(1, start + 3s) == by_steps);
  cadence.started(1, start + 3s);
  cadence.returned(start + 5s);
  CHECK(cadence.due(2, start + 5s) == none);  // with 3 s for each save there would be no time for the last one
  cadence.started(1, start + 5s);
  CHECK(cadence.due(1, start + 8s) == tick_decision{save_reason::none, true});
  CHECK(cadence.due(2, start + 8s) == tick_decision{save_reason::deadline, true});
  rhythm late({.deadline = start - 10s}, start);
  CHECK(late.due(1, start) == tick_decision{save_reason::deadline, true});
  rhythm back({.deadline = start + 10s}, start);
  CHECK(back.due(9, start) == none);
  CHECK(back.due(3, start + 9s) == tick_decision{save_reason::deadline, true});  // it went back to a state that no file holds for sure
}

TEST_CASE("the expected duration of a save is guessed from its bytes, then the slowest of the last 32") {
  rhythm cadence({}, start);
  CHECK(cadence.expected_save().count() == doctest::Approx(1.0));
  cadence.expect_bytes(5'000'000'000);
  CHECK(cadence.expected_save().count() == doctest::Approx(51.0));
  cadence.finished(2s);
  CHECK(cadence.expected_save() == 2s);
  cadence.finished(10s);
  CHECK(cadence.expected_save() == 10s);
  cadence.finished(2s);
  for (int i = 0; i < 31; ++i) {
    CHECK(cadence.expected_save() == 10s);
    cadence.finished(2s);
  }
  for (int i = 0; i < 32; ++i) cadence.finished(2s);
  CHECK(cadence.expected_save() == 2s);
  cadence.finished(-5s);
  CHECK(cadence.expected_save() >= 0s);
}

TEST_CASE("safety multiplies the expected save, and the duration of a tick is added") {
  for (const double safety : {1.0, 1.5, 4.0}) {
    rhythm cadence({.deadline = start + 100s, .safety = safety}, start);
    cadence.finished(10s);
    CHECK(cadence.due(1, start) == none);
    CHECK(cadence.due(2, start + 5s) == none);  // a tick takes 5 s
    cadence.returned(start + 50s);
    const auto last = start + 95s - std::chrono::milliseconds(static_cast<int>(safety * 10'000));
    rhythm early = cadence;
    early.returned(last - 2s);
    CHECK(early.due(3, last - 1s) == none);
    cadence.returned(last - 1s);
    CHECK(cadence.due(3, last).stop);
  }
}

TEST_CASE("options that make no sense are refused with a sentence") {
  const auto message_of = [](const options& given) -> std::string {
    try {
      rhythm cadence(given, start);
    } catch (const error& e) {
      CHECK(e.code() == errc::invalid_value);
      return e.what();
    }
    return "";
  };
  CHECK(message_of({.every = -1ms}).find("negative") != std::string::npos);
  for (const double safety : {0.99, 0.0, -1.0, 1e9, std::numeric_limits<double>::infinity()}) {
    CHECK(message_of({.safety = safety}).find("safety") != std::string::npos);
  }
  CHECK(message_of({}) == "");
}

TEST_CASE("the steady clock is the default, and the reasons have names") {
  const auto now = std::chrono::steady_clock::now();
  cadence saves({.every_steps = 2, .every = 60s}, now);
  CHECK(saves.due(2, now).why == save_reason::steps);
  CHECK(saves.options().every == 60s);
  CHECK(name_of(save_reason::none) == "none");
  CHECK(name_of(save_reason::steps) == "steps");
  CHECK(name_of(save_reason::time) == "time");
  CHECK(name_of(save_reason::deadline) == "deadline");
}
