// SPDX-License-Identifier: BSL-1.0
// run/checkpointer.hpp: what a run's folder holds: what is kept, what is removed, what is never touched, and who may write.
#include "run_tests.hpp"
#include "sanitizers.hpp"

#include <csignal>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

void save_steps(checkpointer& run, std::uint64_t first, std::uint64_t last, std::uint64_t by = 1) {
  for (std::uint64_t step = first; step <= last; step += by) run.save(at_step(step), step);
}

/// Everything below a folder, with its content.
std::map<std::string, std::string> all_of(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    all[entry.path().string()] = entry.is_symlink() ? "-> " + fs::read_symlink(entry.path()).string() : entry.is_regular_file() ? scratch::content(entry.path().string()) : "(other)";
  }
  return all;
}

const std::string hex32 = "0123456789abcdef0123456789abcdef";

}  // namespace

TEST_CASE("the newest are kept, over restarts of the process, sharded or not") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    for (std::uint64_t start = 1; start <= 3; ++start) {
      checkpointer run{place / "run", {.keep_last = 2, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}};
      save_steps(run, start * 10, start * 10 + 3);
      CHECK(steps_in(place / "run") == step_list{start * 10 + 2, start * 10 + 3});
    }
    CHECK(names_in(place / "run").size() == 4);  // with .lock and latest
    CHECK(fs::is_directory(path_of(place / "run", 33)) == is_sharded);
  }
}

TEST_CASE("keep_every, keep_best and keep_geometric are kept, also by a process that did not save them") {
  const scratch::folder place;
  const checkpointer_options options{.keep_last = 1, .keep_every = 10, .keep_best = {{"loss"}, {"accuracy", best::highest}}};
  for (std::uint64_t step = 1; step <= 24; ++step) {
    checkpointer run{place / "run", options};  // a new process each time, as far as the folder shows
    run.save(at_step(step), step, {{"loss", step == 4 ? 0.125 : 0.5 + static_cast<double>(step)}, {"accuracy", step == 7 ? 1e300 : step == 8 ? std::numeric_limits<double>::quiet_NaN() : 0.1}});
  }
  CHECK(steps_in(place / "run") == step_list{4, 7, 10, 20, 24});
  const scratch::folder other;
  for (std::uint64_t step = 1; step <= 40; ++step) checkpointer(other / "run", {.keep_last = 1, .keep_geometric = 5}).save(at_step(step), step);
  const auto left = steps_in(other / "run");
  CHECK(left.size() >= 5);
  CHECK(left.size() <= 6);
  CHECK(left.back() == 40);
  CHECK(left.front() <= 24);
}

TEST_CASE("a pinned checkpoint is kept until it is let go, also by later processes") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {.keep_last = 1}};
    run.save(at_step(5), 5);
    run.pin(5);
    run.pin(5);
    save_steps(run, 6, 8);
    CHECK(steps_in(place / "run") == step_list{5, 8});
    CHECK(scratch::code_of([&] { run.pin(6); }) == "not_found");
    CHECK(scratch::code_of([&] { run.unpin(99); }) == "not_found");
  }
  {
    checkpointer run{place / "run", {.keep_last = 1}};
    run.pin(8);
    save_steps(run, 9, 10);
    CHECK(steps_in(place / "run") == step_list{5, 8, 10});
  }
  checkpointer run{place / "run", {.keep_last = 1}};
  run.unpin(5);
  run.save(at_step(11), 11);
  CHECK(steps_in(place / "run") == step_list{8, 11});
}

TEST_CASE("of a step that was saved twice the newest is pinned, and letting go lets go of all") {
  const scratch::folder place;
  checkpointer run{place / "run", {.keep_last = 1}};
  run.save(at_step(5), 5);
  run.pin(5);
  run.save(at_step(5), 5);
  run.save(at_step(6), 6);
  CHECK(steps_in(place / "run") == step_list{5, 6});
  run.unpin(5);
  run.save(at_step(7), 7);
  CHECK(steps_in(place / "run") == step_list{7});
  CHECK(scratch::content(place / "run/pinned") == "");
}

TEST_CASE("a pin that could not be written is not believed") {
  const scratch::folder place;
  checkpointer run{place / "run", {.keep_last = 1}};
  run.save(at_step(5), 5);
  fs::create_directory(place / "run/pinned");
  CHECK(scratch::code_of([&] { run.pin(5); }) == "unsafe_path");
  fs::remove(place / "run/pinned");
  run.pin(5);
  run.save(at_step(6), 6);
  CHECK(steps_in(place / "run") == step_list{5, 6});
}

TEST_CASE("a run that goes back to an older step keeps its own new checkpoints, not the old ones with higher steps") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {.keep_last = 3}};
    save_steps(run, 80, 100, 10);
  }
  damage(path_of(place / "run", 100));
  damage(path_of(place / "run", 90));
  checkpointer run{place / "run", {.every_steps = 10, .keep_last = 2}};
  counters state;
  const auto at = run.resume(state);
  CHECK(at->step == 80);
  CHECK(at->skipped.size() == 2);
  CHECK(run.tick(at_step(90), 90).saved);
  CHECK(steps_in(place / "run") == step_list{80, 90, 100, 90});  // the damaged ones neither count nor go
  CHECK(scratch::content(place / "run/latest") == "step-90-4.safetensors\n");
  CHECK(run.tick(at_step(100), 100).saved);
  CHECK(steps_in(place / "run") == step_list{90, 100, 90, 100});
  CHECK(run.resume(state)->sequence == 5);
  const scratch::folder other;
  checkpointer back{other / "run", {.every_steps = 10, .keep_last = 2}};
  save_steps(back, 10, 100, 10);
  CHECK(!back.tick(at_step(15), 15).saved);  // goes back inside of the process
  CHECK(back.tick(at_step(20), 20).saved);
  CHECK(steps_in(other / "run") == step_list{100, 20});
  CHECK(back.resume(state)->step == 20);
}

TEST_CASE("checkpoints that cannot be read are never deleted, and do not count as kept") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {.keep_last = 3}};
    save_steps(run, 1, 3);
  }
  scratch::put(path_of(place / "run", 2), "garbage");
  scratch::put(path_of(place / "run", 3), "");
  checkpointer run{place / "run", {.keep_last = 2}};
  run.save(at_step(4), 4);
  CHECK(steps_in(place / "run") == step_list{1, 2, 3, 4});  // 1 and 4 are the two newest that can be read
  run.save(at_step(5), 5);
  CHECK(steps_in(place / "run") == step_list{2, 3, 4, 5});
  CHECK(scratch::code_of([&] { run.pin(2); }) == "not_found");
}

TEST_CASE("what a resume finds damaged is never deleted, also where nothing could be resumed from") {
  struct another {
    double x = 0;
  };
  for (const bool is_all : {true, false}) {
    const scratch::folder place;
    {
      checkpointer run{place / "run", {}};
      if (!is_all) run.save(another{}, 1);
      save_steps(run, 2, 3);
    }
    for (std::uint64_t step = 2; step <= 3; ++step) {
      const std::string path = path_of(place / "run", step);
      damage(path, scratch::content(path).size() / 3);  // in the weights
      CHECK(scan(place / "run", {.reads_data = false})[0].state == checkpoint_state::valid);
    }
    checkpointer run{place / "run", {.keep_last = 1}};
    counters state;
    CHECK(scratch::code_of([&] { run.resume(state); }) == (is_all ? "corrupt" : "schema_mismatch"));
    save_steps(run, 10, 12);  // the program begins anew all the same
    CHECK(steps_in(place / "run") == step_list{2, 3, 12});
  }
}

TEST_CASE("names that a run did not make are never touched") {
  const scratch::folder place;
  fs::create_directory(place / "run");
  const std::string run_path = place / "run";
  const auto in_run = [&](const std::string& name) { return run_path + "/" + name; };
  for (const std::string& name : std::vector<std::string>{
           "notes.txt", "step-1.safetensors", "step-01-1.safetensors", "step-1-1", "step-1-1.safetensors.bak", "step-1-2.safetensors~", "step-1-3.safetensors.tmp", "step-1-4.txt",
           "step-1-5.safetensors.xor", "step--1-1.safetensors", "step-1-1.safetensors.zst.old", "step-99999999999999999999-1.safetensors", "model.safetensors", ".step-1-1.safetensors.swp",
           ".hidden", ".trash", ".trash.", ".trash." + hex32 + "0", ".trash." + hex32.substr(1) + "G", ".notes.tmp." + hex32, ".step-1.safetensors.tmp." + hex32,
           ".step-1-1.safetensors.bak.tmp." + hex32, ".step-1-1.safetensors.tmp." + hex32.substr(1), "latest.old", ".latest.tmp", "lock", ".step-1-1.txt.tmp." + hex32}) {
    scratch::put(in_run(name), "mine: " + name);
  }
  for (const std::string& name : std::vector<std::string>{"step-2-1.safetensors", "step-2", "folder", "step-2-2.d", ".latest.tmp." + hex32, ".notes.tmp." + hex32 + "x"}) {
    fs::create_directory(in_run(name));
    scratch::put(in_run(name + "/inside"), "mine");
  }
  fs::create_directory(in_run("step-3-1"));  // ours by its name, but not by what is in it
  scratch::put(in_run("step-3-1/model-notes.txt"), "mine");
  scratch::put(place / "outside", "elsewhere");
  for (const std::string& name : std::vector<std::string>{"step-4-1.safetensors", "step-4-2", ".step-4-3.safetensors.tmp." + hex32, ".trash." + hex32.substr(1) + "a"}) {
    fs::create_symlink(place / "outside", in_run(name));
  }
  auto before = all_of(place.path());
  before.erase(in_run(".trash." + hex32.substr(1) + "a"));
  for (int process = 0; process < 3; ++process) {
    checkpointer run{run_path, {.keep_last = 1}};
    save_steps(run, 10, 13);
  }
  auto after = all_of(place.path());
  for (const auto& entry : before) {
    CAPTURE(entry.first);
    CHECK(after[entry.first] == entry.second);
  }
}

TEST_CASE("a file of the user's inside a sharded checkpoint keeps the checkpoint, until it is taken away") {
  for (const char* name : {"notes.txt", "model-notes.txt", "MD5SUMS", ".hidden", "model-00001-of-00002.safetensors.bak"}) {
    const scratch::folder place;
    checkpointer run{place / "run", {.keep_last = 1, .shards = sharding{.shards = 2}}};
    run.save(at_step(1), 1);
    const std::string mine = path_of(place / "run", 1) + "/" + name;
    scratch::put(mine, "mine");
    save_steps(run, 2, 4);
    CHECK(steps_in(place / "run") == step_list{1, 4});
    CHECK(scratch::content(mine) == "mine");
    counters state;
    restore(state, checkpoint_source(path_of(place / "run", 1)));
    CHECK(state == at_step(1));
    fs::remove(mine);
    run.save(at_step(5), 5);
    CHECK(steps_in(place / "run") == step_list{5});
  }
}

TEST_CASE("a checkpoint that the user has removed is no error") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    checkpointer run{place / "run", {.keep_last = 2, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}};
    save_steps(run, 1, 2);
    fs::remove_all(path_of(place / "run", 1));
    save_steps(run, 3, 4);
    CHECK(steps_in(place / "run") == step_list{3, 4});
  }
}

TEST_CASE("what somebody has put in the place of a checkpoint is his own") {
  for (const bool is_sharded : {false, true}) {
    for (const char* what : {"link", "dangling link", "folder", "file", "pipe"}) {
      if (std::string_view(what) == (is_sharded ? "folder" : "file")) continue;
      CAPTURE(what);
      const scratch::folder place;
      checkpointer run{place / "run", {.keep_last = 1, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}};
      run.save(at_step(1), 1);
      const std::string path = path_of(place / "run", 1);
      fs::rename(path, place / "moved");
      if (what == std::string_view("link")) fs::create_symlink(place / "moved", path);
      if (what == std::string_view("dangling link")) fs::create_symlink("nowhere", path);
      if (what == std::string_view("folder")) fs::create_directory(path), scratch::put(path + "/model-notes", "mine");
      if (what == std::string_view("file")) scratch::put(path, "mine");
      if (what == std::string_view("pipe")) REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
      save_steps(run, 2, 4);
      CHECK(names_in(place / "run").size() == 4);  // with .lock, latest and the newest: no trash
      CHECK(fs::symlink_status(path).type() != fs::file_type::not_found);
      if (what == std::string_view("folder")) CHECK(scratch::content(path + "/model-notes") == "mine");
      CHECK(load<counters>(checkpoint_source(place / "moved")) == at_step(1));
    }
  }
}

TEST_CASE("`latest` and `pinned` may be missing or hold anything") {
  for (const std::string& text : {std::string(), std::string("\n\n\n"), std::string(100'000, 'x'), std::string("../../etc/passwd\nstep-2-2.safetensors"), std::string("\0\0\xff\n", 4), std::string("step-2-2.safetensors\r\n")}) {
    const scratch::folder place;
    {
      checkpointer run{place / "run", {.keep_last = 3}};
      save_steps(run, 1, 3);
      CHECK(scratch::content(place / "run/latest") == "step-3-3.safetensors\n");
    }
    scratch::put(place / "run/latest", text);
    scratch::put(place / "run/pinned", text);
    checkpointer run{place / "run", {.keep_last = 1}};
    counters state;
    CHECK(run.resume(state)->step == 3);
    run.save(at_step(4), 4);
    CHECK(steps_in(place / "run") == (text.ends_with("step-2-2.safetensors") ? step_list{2, 4} : step_list{4}));
    CHECK(scratch::content(place / "run/latest") == "step-4-4.safetensors\n");
    fs::remove(place / "run/latest");
    fs::remove(place / "run/pinned");
    CHECK(run.resume(state)->step == 4);
    run.save(at_step(5), 5);
    run.pin(5);
    CHECK(scratch::content(place / "run/pinned").ends_with("step-5-5.safetensors\n"));
  }
}

TEST_CASE("what interrupted saves and removals left is swept away when the next run begins") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {}};
    run.save(at_step(1), 1);
  }
  const std::string run_path = place / "run";
  const auto put = [&](const std::string& name) { scratch::put(run_path + "/" + name, "left"); };
  for (const char* base : {"step-2-2.safetensors", "step-2-2.safetensors.zst", "step-2-2.safetensors.xor", "latest", "pinned"}) put("." + std::string(base) + ".tmp." + hex32);
  put(".trash." + hex32);
  for (const std::string& folder : {".step-3-3.tmp." + hex32, ".trash." + hex32.substr(1) + "b"}) {
    fs::create_directory(run_path + "/" + folder);
    for (const char* file : {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors.zst", "model.safetensors.index.json", "tidemark.manifest.json", "SHA256SUMS"}) put(folder + "/" + file);
  }
  fs::create_directory(run_path + "/.step-4-4.tmp." + hex32);
  { checkpointer run{run_path, {.compression = xor_compression()}}; }
  CHECK(names_in(run_path) == std::set<std::string>{".lock", "latest", "step-1-1.safetensors"});
}

TEST_CASE("a run that crashes again and again in the middle of a save does not fill the disk") {
  struct dying_ops : file_ops {
    int linkat(int, const char*, int, const char*, int) const noexcept { return ::raise(SIGKILL); }
    int renameat2(int, const char*, int, const char*, unsigned) const noexcept { return ::raise(SIGKILL); }
    int openat(int folder, const char* path, int flags, mode_t mode) const noexcept {
      if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;  // a filesystem where a save leaves a name
      return file_ops::openat(folder, path, flags, mode);
    }
  };
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    for (std::uint64_t crash = 1; crash <= 5; ++crash) {
      CHECK(child::outcome_of([&] {
        basic_checkpointer<dying_ops> run{place / "run", {.shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}};
        run.save(at_step(crash), crash);
        return 0;
      }) == "signal 9");
      CHECK(names_in(place / "run").size() == 2);  // .lock and the one orphan
    }
    checkpointer run{place / "run", {}};
    CHECK(names_in(place / "run").size() == 1);
  }
}

TEST_CASE("a removal that is killed leaves the checkpoint whole or gone") {
  struct dying_ops : file_ops {
    int* calls = nullptr;
    int kill_at = 0;
    int unlinkat(int folder, const char* path, int flags) const noexcept {
      if (++*calls == kill_at) ::raise(SIGKILL);
      return file_ops::unlinkat(folder, path, flags);
    }
  };
  int finished = 0;
  for (int at = 1; at <= 8 && finished == 0; ++at) {
    const scratch::folder place;
    const auto outcome = child::outcome_of([&] {
      int calls = 0;
      dying_ops ops;
      ops.calls = &calls;
      ops.kill_at = at;
      basic_checkpointer<dying_ops> run{place / "run", {.keep_last = 1, .shards = sharding{.shards = 2}}, ops};
      run.save(at_step(1), 1);
      run.save(at_step(2), 2);
      return 0;
    });
    finished += outcome == "exit 0";
    for (const auto step : steps_in(place / "run")) verify(checkpoint_source(path_of(place / "run", step)));
    counters state;
    CHECK(resume(state, place / "run"));
    checkpointer run{place / "run", {}};
    for (const auto& name : names_in(place / "run")) CHECK(!name.starts_with(".trash"));
  }
  CHECK(finished == 1);
}

TEST_CASE("a second writer is refused by name, in this process and in others, and a killed one holds nobody up") {
  const scratch::folder place;
  {
    checkpointer run{place / "run", {}};
    const auto failure = scratch::failure_of([&] { checkpointer second(place / "run"); });
    REQUIRE(failure);
    CHECK(failure->code() == errc::locked);
    CHECK(failure->found().find("process " + std::to_string(::getpid())) != std::string::npos);
    CHECK(child::outcome_of([&] { return scratch::code_of([&] { checkpointer second(place / "run"); }) == "locked" ? 0 : 1; }) == "exit 0");
    counters state;
    CHECK(!resume(state, place / "run"));  // a reader needs no lock
  }
  CHECK(child::outcome_of([&] {
    checkpointer run{place / "run", {}};
    run.save(at_step(1), 1);
    ::raise(SIGKILL);
    return 0;
  }) == "signal 9");
  checkpointer run{place / "run", {}};
  counters state;
  CHECK(run.resume(state)->step == 1);
}

TEST_CASE("the folder is the same after the working directory has changed") {
  const scratch::folder place;
  const scratch::in_folder here(place.path());
  fs::create_directory("elsewhere");
  checkpointer run{"run", {.keep_last = 1, .background = background::fork}};
  fs::current_path(place / "elsewhere");
  run.save(at_step(1), 1);
  run.save_in_background(at_step(2), 2).get();
  run.pin(2);
  counters state;
  CHECK(run.resume(state)->step == 2);
  fs::current_path(place.path());
  CHECK(fs::is_empty("elsewhere"));
  CHECK(names_in("run") == std::set<std::string>{".lock", "latest", "pinned", "step-2-2.safetensors"});
  CHECK(run.folder() == place / "run");
}

TEST_CASE("where another folder lies at the path by now, nothing is saved into it, and nothing goes from the one that was moved away") {
  for (const auto how : {background::off, background::staged, background::fork}) {
    for (const bool is_link : {false, true}) {
      const scratch::folder place;
      fs::create_directory(place / "first");
      if (is_link) fs::create_directory_symlink("first", place / "run");
      else fs::rename(place / "first", place / "run");
      checkpointer run{place / "run", {.keep_last = 2, .background = how}};
      save_steps(run, 1, 2);
      if (is_link) fs::remove(place / "run");
      else fs::rename(place / "run", place / "first");
      CHECK(scratch::code_of([&] { run.save(at_step(3), 3); }) == "not_found");
      fs::create_directory(place / "run");
      std::optional<checkpointer> second(std::in_place, place / "run");
      second->save(at_step(77), 77);
      const auto theirs = names_in(place / "run");
      for (std::uint64_t step = 3; step <= 6; ++step) CHECK(scratch::code_of([&] { run.save_in_background(at_step(step), step).get(); }) == "not_found");
      CHECK(scratch::code_of([&] { run.wait(); }) == "not_found");  // kept, once
      CHECK(scratch::code_of([&] { run.pin(2); }) == "not_found");
      counters state;
      CHECK(scratch::code_of([&] { run.resume(state); }) == "not_found");
      CHECK(names_in(place / "run") == theirs);
      CHECK(steps_in(place / "first") == step_list{1, 2});
      second.reset();
      fs::remove_all(place / "run");
      fs::rename(place / "first", place / "run");
      save_steps(run, 7, 8);
      CHECK(steps_in(place / "run") == step_list{7, 8});
    }
  }
}

TEST_CASE("paths of every form: slashes at the end, links to folders, and what is no place") {
  const scratch::folder place;
  for (const char* form : {"run///", "run/.", "run"}) {
    checkpointer run{place / form, {}};
    const auto saved = run.save(at_step(1), 1);
    CHECK(fs::exists(saved.path));
    CHECK(saved.path.find("//") == std::string::npos);
  }
  fs::create_directory_symlink("run", place / "link");
  {
    checkpointer run{fs::path(place / "link"), {}};
    run.save(at_step(2), 2);
    CHECK(scratch::code_of([&] { checkpointer second(place / "run"); }) == "locked");
  }
  CHECK(steps_in(place / "run").back() == 2);
  scratch::put(place / "file", "x");
  fs::create_symlink("nowhere", place / "dangling");
  CHECK(scratch::code_of([] { checkpointer run(""); }) == "not_found");
  CHECK(scratch::code_of([] { checkpointer run(std::string("a\0b", 3)); }) == "unsafe_path");
  CHECK(scratch::code_of([&] { checkpointer run(place / "no/parent"); }) == "not_found");
  CHECK(scratch::code_of([&] { checkpointer run(place / "dangling"); }) == "not_found");
  CHECK(scratch::code_of([&] { checkpointer run(place / "file"); }) != "success");
  CHECK(scratch::code_of([&] { checkpointer run(place / "file/run"); }) != "success");
  CHECK(scratch::content(place / "file") == "x");
}

TEST_CASE("every level of durability and every form is saved, resumed and removed") {
  for (const durability level : {durability::none, durability::process, durability::power}) {
    for (const bool is_sharded : {false, true}) {
      for (const bool is_compressed : {false, true}) {
        for (const background how : {background::off, background::staged, background::fork}) {
          if (scratch::watches_threads && is_sharded && how == background::fork) continue;  // it follows no thread of a child
          const scratch::folder place;
          const checkpointer_options options{.every_steps = 1, .keep_last = 2, .background = how, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .durability = level,
                                             .compression = is_compressed ? xor_compression() : compression{}, .metadata = {{"commit", "1f0c"}}};
          {
            checkpointer run{place / "run", options};
            for (std::uint64_t step = 1; step <= 4; ++step) static_cast<void>(run.tick(at_step(step), step, {{"loss", 1.5}}));
            run.wait();
            CHECK(steps_in(place / "run") == step_list{3, 4});
            const auto name = path_of(place / "run", 4);
            CHECK(name.ends_with(is_sharded ? "/step-4-4" : is_compressed ? ".safetensors.xor" : ".safetensors"));
          }
          checkpointer run{place / "run", options};
          counters state;
          const auto at = run.resume(state);
          REQUIRE(at);
          CHECK(state == at_step(4));
          CHECK(at->metrics == metric_list{{"loss", 1.5}});
          run.save(at_step(5), 5);
          CHECK(steps_in(place / "run") == step_list{4, 5});
          run.finish(at_step(5));
          CHECK(steps_in(place / "run").back() == 5);
        }
      }
    }
  }
}

TEST_CASE("a run whose numbers are used up says so") {
  const scratch::folder place;
  fs::create_directory(place / "run");
  save(at_step(1), place / "run/step-1-18446744073709551615.safetensors");
  checkpointer run{place / "run", {}};
  CHECK(scratch::code_of([&] { run.save(at_step(2), 2); }) == "limit");
}
