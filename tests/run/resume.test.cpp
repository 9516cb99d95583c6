// SPDX-License-Identifier: BSL-1.0
// run/resume.hpp: the newest checkpoint that can be used, and what is said of those that cannot.
#include "run_tests.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

using namespace tidemark;

namespace {

/// A run of steps 1, 2, 3, the folder's path.
std::string three(const scratch::folder& place, bool is_sharded = false, const compression& how = {}) {
  checkpointer run{place / "run", {.keep_last = 10, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .compression = how}};
  for (std::uint64_t step = 1; step <= 3; ++step) run.save(at_step(step), step, {{"loss", 0.5}});
  return place / "run";
}

/// With one member more, of the same version.
struct other_counters {
  std::uint64_t step = 0;
  std::vector<float> weights = {};
  int more = 0;
};
struct newer_counters {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::uint64_t step = 0;
  std::vector<float> weights;
};

}  // namespace

TEST_CASE("the newest checkpoint is resumed from, with its step, metrics, metadata and report") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const auto folder = three(place, is_sharded);
    counters state;
    const auto at = resume(state, folder);
    REQUIRE(at);
    CHECK(at->step == 3);
    CHECK(at->sequence == 3);
    CHECK(at->path == path_of(folder, 3));
    CHECK(at->metrics == metric_list{{"loss", 0.5}});
    CHECK(at->skipped.empty());
    CHECK(at->report.has_digests);
    CHECK(state == at_step(3));
  }
}

TEST_CASE("no folder and no checkpoint are nothing, in every form of the path; what is no folder is an error") {
  const scratch::folder place;
  counters state = at_step(7);
  for (const char* form : {"none", "none/", "none///", "none/below", "none/below/"}) CHECK(!resume(state, place / form));
  fs::create_directory(place / "empty");
  CHECK(!resume(state, place / "empty"));
  CHECK(!resume(state, fs::path(place / "empty/")));
  scratch::put(place / "empty/notes.txt", "x");
  scratch::put(place / "empty/step-1-1.safetensors.bak", "x");
  CHECK(!resume(state, place / "empty"));
  scratch::put(place / "file", "x");
  CHECK(scratch::code_of([&] { resume(state, place / "file"); }) != "success");
  CHECK(scratch::code_of([&] { resume(state, ""); }) == "not_found");
  CHECK(state == at_step(7));
  checkpointer run{place / "new", {}};
  CHECK(!run.resume(state));
}

TEST_CASE("a flip of any bit and a cut at any length fall back to the older checkpoint, with the reason") {
  const scratch::folder place;
  const auto folder = three(place);
  const auto path = path_of(folder, 3);
  const std::string whole = scratch::content(path);
  int newer = 0;
  const auto falls_back = [&](const std::string& bytes) {
    scratch::put(path, bytes);
    counters state;
    std::string outcome;
    try {
      const auto at = resume(state, folder);
      outcome = at && at->step == 2 && state == at_step(2) && at->skipped.size() == 1 && at->skipped[0].path == path && at->skipped[0].step == 3 && at->skipped[0].is_damaged &&
                        at->skipped[0].reason.find("step-3-3") != std::string::npos
                    ? "" : "resumed wrongly at " + std::to_string(at ? at->step : 0);
    } catch (const error& e) {
      // The one thing that a file says of itself before its digests are known: a version that no release of ours could read.
      if (e.code() == errc::newer_version) ++newer;
      else outcome = e.what();
    }
    return outcome;
  };
  std::string first_problem;
  int problems = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    // Every bit of the header, one of each byte of the data.
    const std::size_t header = whole.size() - 500;
    for (int bit = at < header ? 0 : static_cast<int>(at % 8); bit < 8; bit += at < header ? 1 : 8) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      const auto outcome = falls_back(bytes);
      if (!outcome.empty() && problems++ == 0) first_problem = "bit " + std::to_string(bit) + " of byte " + std::to_string(at) + ": " + outcome;
    }
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto outcome = falls_back(whole.substr(0, length));
    if (!outcome.empty() && problems++ == 0) first_problem = "length " + std::to_string(length) + ": " + outcome;
  }
  if (!falls_back(whole + "x").empty()) ++problems;
  CHECK(problems == 0);
  CHECK(newer == 3);  // '1' becomes '3', '5' or '9'
  CHECK(first_problem == "");
}

TEST_CASE("a shard that is missing, cut, swapped or a link falls back; so does a folder that was never finished") {
  const auto check = [](const char* what, auto&& harm) {
    const scratch::folder place;
    const auto folder = three(place, true);
    harm(path_of(folder, 3), path_of(folder, 2));
    counters state;
    CAPTURE(what);
    const auto at = resume(state, folder);
    REQUIRE(at);
    CHECK(at->step == 2);
    CHECK(state == at_step(2));
    CHECK(at->skipped.size() == 1);
  };
  const std::string one = "/model-00001-of-00002.safetensors", two = "/model-00002-of-00002.safetensors", manifest = "/tidemark.manifest.json";
  check("missing", [&](const std::string& at, const std::string&) { fs::remove(at + one); });
  check("no manifest", [&](const std::string& at, const std::string&) { fs::remove(at + manifest); });
  check("empty", [&](const std::string& at, const std::string&) { fs::remove_all(at); fs::create_directory(at); });
  check("cut", [&](const std::string& at, const std::string&) { fs::resize_file(at + two, 100); });
  check("cut manifest", [&](const std::string& at, const std::string&) { fs::resize_file(at + manifest, 100); });
  check("flipped", [&](const std::string& at, const std::string&) { damage(at + one); });
  check("flipped manifest", [&](const std::string& at, const std::string&) { damage(at + manifest); });
  check("older shard", [&](const std::string& at, const std::string& older) { fs::copy_file(older + one, at + one, fs::copy_options::overwrite_existing); fs::copy_file(older + two, at + two, fs::copy_options::overwrite_existing); });
  check("swapped", [&](const std::string& at, const std::string&) { fs::rename(at + one, at + "/x"); fs::rename(at + two, at + one); fs::rename(at + "/x", at + two); });
  check("link", [&](const std::string& at, const std::string& older) { fs::remove(at + one); fs::create_symlink(older + one, at + one); });
  check("folder", [&](const std::string& at, const std::string&) { fs::remove(at + one); fs::create_directory(at + one); });
}

TEST_CASE("bytes that are no value of the type are damage, and one that the class refuses is too") {
  struct picky {
    std::vector<float> values;
    static bool& accepts() { static bool yes = true; return yes; }
    std::vector<float> snapshot() const { return values; }
    void restore(std::vector<float> saved) {
      if (!saved.empty() && saved[0] < 0) throw error({.code = errc::invalid_value, .problem = "negative"});
      values = std::move(saved);
    }
  };
  const scratch::folder place;
  checkpointer run{place / "run", {}};
  run.save(picky{{1.0f}}, 1);
  run.save(picky{{-1.0f}}, 2);
  picky state;
  const auto at = run.resume(state);
  REQUIRE(at);
  CHECK(at->step == 1);
  CHECK(at->skipped[0].reason.find("negative") != std::string::npos);
}

TEST_CASE("another type and a newer version are errors at once: an older checkpoint must not hide them") {
  const scratch::folder place;
  const auto folder = three(place);
  other_counters other{.step = 5};
  CHECK(scratch::code_of([&] { resume(other, folder); }) == "schema_mismatch");
  CHECK(other.step == 5);
  save(newer_counters{.step = 9, .weights = {1}}, folder + "/step-9-9.safetensors");
  counters state = at_step(7);
  CHECK(scratch::code_of([&] { resume(state, folder); }) == "newer_version");
  CHECK(state == at_step(7));
  newer_counters newer;
  CHECK(resume(newer, folder)->step == 9);
}

TEST_CASE("a checkpoint that may not be read is an error, not damage") {
  const scratch::folder place;
  fs::permissions(place.path(), fs::perms::all);
  const auto folder = three(place);
  fs::permissions(path_of(folder, 3), fs::perms::none);
  CHECK(child::outcome_of([&] {
    child::become_nobody();
    counters state;
    return scratch::code_of([&] { resume(state, folder); }) == "io" ? 0 : 1;
  }) == "exit 0");
}

TEST_CASE("all damaged is an error that lists each, and leaves the state untouched") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const auto folder = three(place, is_sharded);
    for (std::uint64_t step = 1; step <= 3; ++step) damage(is_sharded ? path_of(folder, step) + "/model-00001-of-00002.safetensors" : path_of(folder, step));
    counters state = at_step(7);
    for (const bool by_run : {false, true}) {
      const auto failure = scratch::failure_of([&] {
        if (by_run) checkpointer(folder).resume(state);
        else resume(state, folder);
      });
      REQUIRE(failure);
      CHECK(failure->code() == errc::corrupt);
      for (const char* name : {"step-1-1", "step-2-2", "step-3-3", "3 checkpoints", "resume from"}) CHECK(std::string(failure->what()).find(name) != std::string::npos);
      CHECK(state == at_step(7));
    }
  }
}

TEST_CASE("a validator of the caller's may reject one and send it to the next older; it sees a copy") {
  const scratch::folder place;
  const auto folder = three(place);
  counters state = at_step(7);
  const auto at = resume(state, folder, [&](const counters& candidate) {
    CHECK(&candidate != &state);
    CHECK(state == at_step(7));
    return candidate.step < 3;
  });
  REQUIRE(at);
  CHECK(at->step == 2);
  CHECK(state == at_step(2));
  CHECK(!at->skipped[0].is_damaged);
  CHECK(at->skipped[0].reason.find("rejected") != std::string::npos);
  state = at_step(7);
  CHECK(scratch::code_of([&] { resume(state, folder, [](const counters&) { return false; }); }) == "corrupt");
  CHECK(state == at_step(7));
  struct own_error {};
  CHECK_THROWS_AS(resume(state, folder, [](const counters&) -> bool { throw own_error{}; }), own_error);
  CHECK(state == at_step(7));
  checkpointer run{folder, {.keep_last = 2}};
  CHECK(run.resume(state, [](const counters& c) { return c.step == 1; })->step == 1);
  run.save(at_step(4), 4);
  CHECK(steps_in(folder) == step_list{3, 4});  // what was rejected is whole, and counts
}

TEST_CASE("a log or an input that does not fit is an error at once: an older checkpoint would cut the log back to where it fits") {
  struct logged {
    std::uint64_t step = 0;
    append_log log;
    input_file input;
  };
  for (const bool is_validated : {false, true}) {
    for (const bool is_log : {false, true}) {
      const scratch::folder place;
      scratch::put(place / "input", "some input");
      {
        checkpointer run{place / "run", {.keep_last = 10}};
        logged state{0, append_log(place / "log.csv"), input_file(place / "input")};
        for (; state.step < 4; ++state.step) {
          run.save(state, state.step);
          state.log.row(state.step, "a line");
        }
      }
      const std::string changed = is_log ? "other lines\nof somebody\nelse, and as long\n" : scratch::content(place / "log.csv");
      scratch::put(place / "log.csv", changed);
      if (!is_log) scratch::put(place / "input", "SOME input");
      logged state{77, append_log(place / "log.csv"), input_file(place / "input")};
      const auto attempt = [&] {
        if (is_validated) resume(state, place / "run", [](const logged&) { return true; });
        else resume(state, place / "run");
      };
      CHECK(scratch::code_of(attempt) == "invalid_value");
      CHECK(state.step == 77);
      CHECK(scratch::content(place / "log.csv") == changed);
    }
  }
}

TEST_CASE("with a validator, too, the program's own log goes on, not the one that the checkpoint names") {
  struct logged {
    std::uint64_t step = 0;
    append_log log;
    std::vector<float> weights = std::vector<float>(10);
  };
  const scratch::folder place;
  {
    checkpointer run{place / "run"};
    logged state{0, append_log(place / "first.csv")};
    state.log.write("one");
    run.save(state, 1);
    state.log.write("two");
  }
  scratch::put(place / "branch.csv", scratch::content(place / "first.csv"));
  logged branch{0, append_log(place / "branch.csv")};
  const float* const weights = branch.weights.data();
  REQUIRE(resume(branch, place / "run", [](const logged& candidate) { return candidate.weights.size() == 10; }));
  branch.log.write("a branch");
  CHECK(scratch::content(place / "first.csv") == "one\ntwo\n");
  CHECK(scratch::content(place / "branch.csv") == "one\na branch\n");
  CHECK(branch.weights.data() == weights);  // in place, as without one
}

TEST_CASE("compressed checkpoints need their compression: without it they are named, never passed over in silence") {
  const scratch::folder place;
  auto zst = xor_compression();
  zst.suffix = ".zst";
  const auto folder = three(place, false, zst);
  counters state = at_step(7);
  CHECK(resume(state, folder, {.compression = zst})->step == 3);
  CHECK(state == at_step(3));
  const auto failure = scratch::failure_of([&] { resume(state, folder); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::unsupported);
  CHECK(std::string(failure->what()).find("compress") != std::string::npos);
  {
    checkpointer run{folder, {.keep_last = 1}};
    CHECK(scratch::code_of([&] { run.resume(state); }) == "unsupported");
    run.save(at_step(8), 8);
    CHECK(steps_in(folder) == step_list{1, 2, 3, 8});  // unreadable here: kept
  }
  damage(path_of(folder, 8));
  CHECK(resume(state, folder, {.compression = zst})->step == 3);
}

TEST_CASE("a reader beside a writer that prunes always gets a checkpoint, and never an old one in place of newer ones") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    std::atomic<std::uint64_t> last = 0;
    std::atomic<bool> is_over = false;
    std::thread writer([&] {
      checkpointer run{place / "run", {.keep_last = 1, .keep_best = {{"loss"}}, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .durability = durability::process}};
      for (std::uint64_t step = 1; step <= 300; ++step) {
        run.save(at_step(step), step, {{"loss", step == 1 ? 0.0 : 1.0}});
        last = step;
      }
      is_over = true;
    });
    int stale = 0, wrong = 0, none = 0;
    std::string failure;
    while (!is_over) {
      const std::uint64_t before = last;
      if (before == 0) continue;
      counters state;
      try {
        const auto at = resume(state, place / "run");
        none += !at;
        if (at) {
          stale += at->step < before;
          wrong += state != at_step(at->step);
        }
      } catch (const error& e) {
        failure = e.what();
      }
    }
    writer.join();
    CHECK(none == 0);
    CHECK(stale == 0);
    CHECK(wrong == 0);
    CHECK(failure == "");
  }
}

namespace {

struct laned {
  const int lanes = 8;
  std::uint64_t step = 0;
};

}  // namespace

TEST_CASE("a state with other constants than a default one is resumed, but with a check of the caller's, which needs a fresh one, told why not") {
  const scratch::folder place;
  laned state{4, 7};
  {
    checkpointer run{place / "run", {}};
    run.save(state, 1);
  }
  laned same{4, 0}, other{8, 0};
  CHECK(resume(same, place / "run"));
  CHECK(same.step == 7);
  CHECK_THROWS_AS(resume(other, place / "run"), error);
  same.step = 0;
  try {
    static_cast<void>(resume(same, place / "run", [](const laned&) { return true; }));
    FAIL("it was resumed");
  } catch (const error& e) {
    CHECK(e.code() == errc::unsupported);
    CHECK(e.tensor() == "lanes");
  }
  CHECK(same.step == 0);
}
