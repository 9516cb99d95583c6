// SPDX-License-Identifier: BSL-1.0
// run/checkpointer.hpp: saves that another thread or process makes while the program goes on.
#include "run_tests.hpp"
#include "sanitizers.hpp"

#include <tidemark/model/array_blocks.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <fstream>
#include <future>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include <sys/resource.h>

using namespace tidemark;

namespace {

struct row {
  std::uint32_t id = 1;
  std::string label = "cat";
  std::optional<double> score = 0.5;
  friend bool operator==(const row&, const row&) = default;
};
struct layer {
  std::vector<float> weight = std::vector<float>(1000, 0.5f), bias{1, 2};
  friend bool operator==(const layer&, const layer&) = default;
};
struct meter {  // with code of its own
  std::vector<double> values{1, 2, 3};
  std::vector<double> snapshot() const { return values; }
  void restore(std::vector<double> saved) { values = std::move(saved); }
  friend bool operator==(const meter&, const meter&) = default;
};
struct everything {
  std::uint64_t step = 0;
  std::vector<float> weights = std::vector<float>(200'000, 1.0f);
  std::vector<layer> layers = std::vector<layer>(3);
  std::vector<row> rows = std::vector<row>(500);
  std::map<std::string, std::vector<double>> history{{"loss", {3, 2, 1}}, {"rate", {1}}};
  std::variant<int, std::string> choice = std::string("adam");
  std::vector<bool> flags{true, false, true};
  std::string text = std::string(10'000, 'a');
  meter custom;
  friend bool operator==(const everything&, const everything&) = default;
};

/// Changes every byte of it, then its shape.
void scribble(everything& state) {
  state.step = 999;
  for (auto& w : state.weights) w = -1;
  for (auto& l : state.layers) {
    for (auto& w : l.weight) w = -1;
    l.bias = {9};
  }
  for (auto& r : state.rows) r = {77, "overwritten", {}};
  for (auto& [name, values] : state.history) values.assign(100, -1);
  state.history.erase("rate");
  for (auto& c : state.text) c = 'z';
  for (auto& v : state.custom.values) v = -1;
  state.custom.values.resize(50);
  state.flags.assign(7, false);
  state.choice = 5;
  state.layers.clear();
  state.rows.clear();
  state.weights.assign(10, 0.0f);
}

/// A save that waits until it is told to go on, in whatever thread or process it runs: the write of a file waits for a byte in a pipe.
struct gate {
  std::array<int, 2> ends{};
  gate() { REQUIRE(::pipe(ends.data()) == 0); }
  gate(const gate&) = delete;
  ~gate() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  void open(int saves = 1) const {
    for (int i = 0; i < saves; ++i) REQUIRE(::write(ends[1], "x", 1) == 1);
  }
};
struct gated_ops : file_ops {
  int entry = -1;
  /// Before the file is given its name.
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) const noexcept {
    if (std::string_view(to).starts_with("step-")) wait();
    return file_ops::linkat(from_folder, from, to_folder, to, flags);
  }
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) const noexcept {
    if (std::string_view(to).starts_with("step-")) wait();
    return file_ops::renameat2(from_folder, from, to_folder, to, flags);
  }
  void wait() const noexcept {
    char byte;
    while (::read(entry, &byte, 1) < 0) {
    }
  }
};

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// The child of this process that has not ended.
pid_t only_child() {
  std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  pid_t child = 0;
  list >> child;
  return child;
}

constexpr background both_ways[] = {background::staged, background::fork};

}  // namespace

TEST_CASE("the file holds the state as of the call, although the program changes all of it at once") {
  for (const background how : both_ways) {
    for (const bool is_sharded : {false, true}) {
      if (scratch::watches_threads && is_sharded && how == background::fork) continue;  // it follows no thread of a child
      const scratch::folder place;
      const gate held;
      gated_ops ops;
      ops.entry = held.ends[0];
      basic_checkpointer<gated_ops> run{place / "run", {.background = how, .shards = is_sharded ? std::optional(sharding{.shards = 3}) : std::nullopt}, ops};
      everything state;
      for (std::uint64_t step = 1; step <= 3; ++step) {
        state = everything{};
        state.step = step;
        state.text[0] = static_cast<char>('0' + step);
        state.custom.values[0] = static_cast<double>(step);
        state.weights[100'000] = static_cast<float>(step);
        const everything expected = state;
        const auto pending = run.save_in_background(state, step);
        scribble(state);
        held.open();
        const auto saved = pending.get();
        CHECK(saved.step == step);
        CHECK(saved.level == durability::power);
        everything back;
        restore(back, checkpoint_source(saved.path));
        CHECK((back == expected));
      }
    }
  }
  CHECK(!has_children());
}

TEST_CASE("two saves are under way at most: then a tick waits, or skips and saves later, by choice") {
  for (const background how : both_ways) {
    const scratch::folder place;
    const gate held;
    gated_ops ops;
    ops.entry = held.ends[0];
    basic_checkpointer<gated_ops> run{place / "run", {.every_steps = 1, .keep_last = 100, .background = how, .busy = when_busy::skip}, ops};
    CHECK(run.tick(at_step(1), 1).saved);
    CHECK(run.tick(at_step(2), 2).saved);
    CHECK(!run.tick(at_step(3), 3).saved);
    CHECK(!run.tick(at_step(4), 4).saved);
    held.open(2);
    run.wait();
    CHECK(run.tick(at_step(4), 4).saved);  // it was put off, not dropped
    held.open(2);
    run.finish(at_step(5), 5);
    CHECK(steps_in(place / "run") == step_list{1, 2, 4, 5});
  }
  for (const background how : both_ways) {
    const scratch::folder place;
    const gate held;
    gated_ops ops;
    ops.entry = held.ends[0];
    basic_checkpointer<gated_ops> run{place / "run", {.every_steps = 1, .keep_last = 100, .background = how}, ops};
    CHECK(run.tick(at_step(1), 1).saved);
    CHECK(run.tick(at_step(2), 2).saved);
    auto third = std::async(std::launch::async, [&] { return run.tick(at_step(3), 3).saved; });
    CHECK(third.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
    held.open(3);
    CHECK(third.get());
    run.wait();
    CHECK(steps_in(place / "run") == step_list{1, 2, 3});
  }
}

TEST_CASE("destruction and resume wait for saves under way") {
  for (const background how : both_ways) {
    const scratch::folder place;
    const gate held;
    gated_ops ops;
    ops.entry = held.ends[0];
    {
      basic_checkpointer<gated_ops> run{place / "run", {.background = how}, ops};
      run.save_in_background(at_step(1), 1);
      auto opener = std::async(std::launch::async, [&] { held.open(); });
      counters state;
      CHECK(run.resume(state)->step == 1);
      run.save_in_background(at_step(2), 2);
      held.open();
    }
    CHECK(steps_in(place / "run") == step_list{1, 2});
    CHECK(!has_children());
  }
}

TEST_CASE("an error of a background save comes out once: of the next tick, or of wait, and of the future") {
  for (const background how : both_ways) {
    for (const bool by_tick : {true, false}) {
      const scratch::folder place;
      checkpointer run{place / "run", {.every_steps = 10, .keep_last = 1, .background = how}};
      run.save(at_step(1), 1);
      const auto before = names_in(place / "run");
      fs::rename(place / "run", place / "moved");
      const auto pending = run.save_in_background(at_step(2), 2);
      pending.wait();
      fs::rename(place / "moved", place / "run");
      CHECK(names_in(place / "run") == before);  // nothing was pruned for it
      CHECK(scratch::content(place / "run/latest") == "step-1-1.safetensors\n");
      if (by_tick) CHECK(scratch::code_of([&] { static_cast<void>(run.tick(at_step(3), 3)); }) == "not_found");
      else CHECK(scratch::code_of([&] { run.wait(); }) == "not_found");
      CHECK(scratch::code_of([&] { pending.get(); }) == "not_found");
      CHECK(!run.tick(at_step(3), 3).saved);
      CHECK(run.tick(at_step(10), 10).saved);
      run.wait();
      CHECK(steps_in(place / "run") == step_list{10});
    }
  }
}

TEST_CASE("a folder that may not be written any more fails the save, not the run") {
  for (const background how : {background::off, background::staged, background::fork}) {
    const scratch::folder place;
    fs::permissions(place.path(), fs::perms::all);
    CHECK(child::outcome_of([&] {
      child::become_nobody();
      checkpointer run{place / "run", {.background = how}};
      run.save(at_step(1), 1);
      fs::permissions(place / "run", fs::perms::owner_read | fs::perms::owner_exec);
      const auto code = scratch::code_of([&] { run.save_in_background(at_step(2), 2).get(); });
      if (code != "io") return 1;
      fs::permissions(place / "run", fs::perms::owner_all);
      if (scratch::code_of([&] { run.wait(); }) != "io") return 2;
      run.save(at_step(3), 3);
      return 0;
    }) == "exit 0");
    CHECK(steps_in(place / "run") == step_list{1, 3});
  }
}

namespace {

/// Fails writes of a checkpoint's bytes once `is_full`, as a disk does that fills up meanwhile.
struct filling_ops : file_ops {
  std::atomic<bool>* is_full = nullptr;
  int error = ENOSPC;
  ssize_t write(int file, const void* from, std::size_t size) const noexcept {
    if (*is_full && size > 200) return errno = error, -1;
    return file_ops::write(file, from, size);
  }
};

}  // namespace

TEST_CASE("a disk that fills up under a background save is an error, and leaves what was there") {
  for (const background how : both_ways) {
    for (const auto& [number, code] : {std::pair{ENOSPC, "no_space"}, std::pair{EDQUOT, "no_space"}, std::pair{EIO, "io"}}) {
      const scratch::folder place;
      std::atomic<bool> is_full = false;
      filling_ops ops;
      ops.is_full = &is_full;
      ops.error = number;
      basic_checkpointer<filling_ops> run{place / "run", {.keep_last = 1, .background = how}, ops};
      run.save(at_step(1), 1);
      const auto before = names_in(place / "run");
      is_full = true;
      CHECK(scratch::code_of([&] { run.save_in_background(at_step(2), 2).get(); }) == code);
      CHECK(names_in(place / "run") == before);
      is_full = false;
      CHECK(scratch::code_of([&] { run.save(at_step(3), 3); }) == code);  // told once
      run.save(at_step(3), 3);
      counters state;
      CHECK(run.resume(state)->step == 3);
    }
  }
}

TEST_CASE("a commit that may not be durable moves nothing and prunes nothing") {
  struct unsure_ops : file_ops {
    std::atomic<bool>* is_unsure = nullptr;
    int fsync(int file) const noexcept {
      struct stat status;
      if (*is_unsure && ::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) return errno = EIO, -1;
      return file_ops::fsync(file);
    }
  };
  for (const background how : {background::off, background::staged, background::fork}) {
    const scratch::folder place;
    std::atomic<bool> is_unsure = false;
    unsure_ops ops;
    ops.is_unsure = &is_unsure;
    basic_checkpointer<unsure_ops> run{place / "run", {.keep_last = 1, .background = how}, ops};
    run.save(at_step(1), 1);
    is_unsure = true;
    CHECK(scratch::code_of([&] { run.save_in_background(at_step(2), 2).get(); }) == "commit_unknown");
    CHECK(steps_in(place / "run") == step_list{1, 2});
    CHECK(scratch::content(place / "run/latest") == "step-1-1.safetensors\n");
    is_unsure = false;
    CHECK(scratch::code_of([&] { run.wait(); }) == "commit_unknown");
    run.save(at_step(3), 3);
    CHECK(steps_in(place / "run") == step_list{2, 3});
  }
}

TEST_CASE("a child that is killed is a clear error, and old checkpoints stay whole; no zombie and no half file stays") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const gate held;
    gated_ops ops;
    ops.entry = held.ends[0];
    basic_checkpointer<gated_ops> run{place / "run", {.keep_last = 1, .background = background::fork, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}, ops};
    held.open();
    run.save(at_step(1), 1);
    const auto before = names_in(place / "run");
    for (int round = 0; round < 3; ++round) {
      const auto pending = run.save_in_background(at_step(2), 2);
      const pid_t child = only_child();
      REQUIRE(child > 0);
      ::kill(child, SIGKILL);
      const auto failure = scratch::failure_of([&] { pending.get(); });
      REQUIRE(failure);
      CHECK(failure->code() == errc::io);
      CHECK(std::string(failure->what()).find("signal 9") != std::string::npos);
      CHECK(std::string(failure->what()).find("step-2-") != std::string::npos);
      CHECK(!has_children());
      CHECK(names_in(place / "run") == before);
      CHECK(scratch::code_of([&] { run.wait(); }) == "io");
    }
    held.open();
    run.save(at_step(3), 3);
    CHECK(steps_in(place / "run") == step_list{3});
    counters state;
    CHECK(run.resume(state)->step == 3);
  }
}

TEST_CASE("a stop ends the child that saves, which does not ask for itself") {
  struct stuck_ops : file_ops {
    ssize_t write(int file, const void* from, std::size_t size) const noexcept {
      if (::getpid() != parent) ::pause();
      return file_ops::write(file, from, size);
    }
    int openat(int folder, const char* path, int flags, mode_t mode) const noexcept {
      if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;  // a filesystem where a save leaves a name
      return file_ops::openat(folder, path, flags, mode);
    }
    pid_t parent = ::getpid();
  };
  for (const bool is_sharded : {false, true}) {
    for (const bool throws : {false, true}) {
      const scratch::folder place;
      std::atomic<bool> is_asked = false;
      const auto ask = [&, parent = ::getpid()] {
        if (::getpid() != parent) ::_exit(9);
        if (throws && is_asked) throw std::runtime_error("no answer");
        return is_asked.load();
      };
      basic_checkpointer<stuck_ops> run{place / "run", {.background = background::fork, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .cancel = ask}};
      const auto pending = run.save_in_background(at_step(1), 1);
      while (names_in(place / "run").size() < 2) std::this_thread::yield();  // its temporary name is there
      is_asked = true;
      if (throws) CHECK_THROWS_AS(pending.get(), std::runtime_error);
      else CHECK(scratch::code_of([&] { pending.get(); }) == "cancelled");
      CHECK(!has_children());
      CHECK(names_in(place / "run") == std::set<std::string>{".lock"});
      if (!throws) {
        CHECK(run.tick(at_step(2), 2).stop);
        run.finish(at_step(2), 2);
        CHECK(steps_in(place / "run") == step_list{2});
      }
    }
  }
}

TEST_CASE("SIGINT to the whole process group does not tear a forked save") {
  const scratch::folder place;
  CHECK(child::outcome_of([&] {
    ::setpgid(0, 0);
    std::signal(SIGINT, [](int) {});
    std::signal(SIGTERM, [](int) {});
    checkpointer run{place / "run", {.keep_last = 100, .background = background::fork}};
    for (std::uint64_t step = 1; step <= 20; ++step) {
      const auto pending = run.save_in_background(at_step(step), step);
      ::kill(0, step % 2 != 0 ? SIGINT : SIGTERM);
      if (pending.get().step != step) return 1;
    }
    return 0;
  }) == "exit 0");
  CHECK(steps_in(place / "run").size() == 20);
}

TEST_CASE("a fork beside an open GPU is refused, a copy is not") {
  struct gpu_ops : file_ops {
    ssize_t readlinkat(int, const char*, char* into, std::size_t) const noexcept {
      std::memcpy(into, "/dev/nvidia0", 12);
      return 12;
    }
  };
  const scratch::folder place;
  {
    basic_checkpointer<gpu_ops> run{place / "run", {.every_steps = 1, .background = background::fork}};
    CHECK(scratch::code_of([&] { static_cast<void>(run.tick(at_step(1), 1)); }) == "unsupported");
    CHECK(!has_children());
  }
  basic_checkpointer<gpu_ops> run{place / "run", {.every_steps = 1, .background = background::staged}};
  CHECK(run.tick(at_step(1), 1).saved);
}

TEST_CASE("where no process can be had a fork is an error, and the run goes on") {
  const scratch::folder place;
  fs::permissions(place.path(), fs::perms::all);
  CHECK(child::outcome_of([&] {
    child::become_nobody();
    checkpointer run{place / "run", {.every_steps = 10, .background = background::fork}};
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    const auto failure = scratch::failure_of([&] { static_cast<void>(run.tick(at_step(10), 10)); });
    if (!failure || failure->code() != errc::io || std::string(failure->what()).find("background::staged") == std::string::npos) return 1;
    if (run.tick(at_step(11), 11).saved) return 2;
    run.finish(at_step(11));
    return 0;
  }) == "exit 0");
  CHECK(steps_in(place / "run") == step_list{11});
}

namespace {

struct failing_snapshot {
  int value = 1;
  std::vector<float> snapshot() const {
    if (value == 13) throw std::runtime_error("the device is lost");
    return {1.0f};
  }
  void restore(const std::vector<float>&) {}
};

}  // namespace

TEST_CASE("an exception of snapshot() leaves the call as it is, and the run goes on") {
  for (const background how : both_ways) {
    const scratch::folder place;
    checkpointer run{place / "run", {.background = how}};
    failing_snapshot state{13};
    std::string text;
    try {
      run.save_in_background(state, 1).get();
    } catch (const std::exception& e) {
      text = e.what();
    }
    CHECK(text.find("the device is lost") != std::string::npos);
    state.value = 1;
    run.save_in_background(state, 2).get();
    CHECK(steps_in(place / "run") == step_list{2});
  }
}

TEST_CASE("memory of other devices that is read by the child: what its code throws carries its text") {
  const scratch::folder place;
  checkpointer run{place / "run", {.background = background::fork}};
  const array_blocks<float> state{.shape = {10}, .read = [](std::uint64_t, std::span<std::byte>) { throw std::runtime_error("the device is lost"); }, .write = [](std::uint64_t, std::span<const std::byte>) {}};
  const auto failure = scratch::failure_of([&] { run.save_in_background(state, 1).get(); });
  REQUIRE(failure);
  CAPTURE(std::string(failure->what()));
  CHECK(std::string(failure->what()).find("the device is lost") != std::string::npos);
  CHECK(!has_children());
}

TEST_CASE("a forked save costs no descriptor and leaves no process, however often") {
  const scratch::folder place;
  checkpointer run{place / "run", {.every_steps = 1, .background = background::fork}};
  static_cast<void>(run.tick(at_step(1), 1));
  run.wait();
  const std::size_t before = scratch::open_descriptors();
  for (std::uint64_t step = 2; step <= 60; ++step) static_cast<void>(run.tick(at_step(step), step));
  run.wait();
  CHECK(scratch::open_descriptors() == before);
  CHECK(!has_children());
  CHECK(steps_in(place / "run") == step_list{58, 59, 60});
}

TEST_CASE("the run may be driven hard: staged saves of a state that changes all the time") {
  const scratch::folder place;
  checkpointer run{place / "run", {.every_steps = 1, .background = background::staged, .durability = durability::process}};
  counters state;
  state.weights.resize(10'000);
  for (std::uint64_t step = 1; step <= 200; ++step) {
    state.step = step;
    for (auto& w : state.weights) w = static_cast<float>(step);
    REQUIRE(run.tick(state, step).saved);
  }
  run.finish(state);
  counters back;
  run.resume(back);
  CHECK((back == state));
}
