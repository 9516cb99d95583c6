// SPDX-License-Identifier: BSL-1.0
// run/scan.hpp: what lies in a run's folder.
#include "run_tests.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <sys/resource.h>

using namespace tidemark;

namespace {

const std::string hex32 = "0123456789abcdef0123456789abcdef";

const scanned_checkpoint& of(const std::vector<scanned_checkpoint>& all, const std::string& name) {
  for (const auto& c : all) {
    if (c.path.ends_with("/" + name)) return c;
  }
  FAIL("no " << name);
  return all.front();
}

}  // namespace

TEST_CASE("a scan lists everything with its state, the newest checkpoint first, and changes nothing") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const std::string folder = place / "run";
    {
      checkpointer run{folder, {.keep_last = 10, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .metadata = {{"commit", "1f0c"}}}};
      for (std::uint64_t step = 10; step >= 7; --step) run.save(at_step(step), step, {{"loss", 0.25}});
      run.pin(8);
    }
    const std::string suffix = is_sharded ? "" : ".safetensors", shard = is_sharded ? "/model-00001-of-00002.safetensors" : "";
    const auto file = [&](const char* name) { return folder + "/" + name + suffix + shard; };
    damage(file("step-9-2"), 600);
    fs::resize_file(file("step-7-4"), 300);
    scratch::put(folder + "/notes.txt", "mine");
    scratch::put(folder + "/step-1-1.safetensors.bak", "mine");
    scratch::put(folder + "/.step-11-5.safetensors.tmp." + hex32, "half");
    scratch::put(folder + "/.trash." + hex32, "x");
    fs::create_directory(folder + "/.step-12-6.tmp." + hex32);
    scratch::put(folder + "/.step-12-6.tmp." + hex32 + "/model-00001-of-00002.safetensors", std::string(1234, 'x'));
    fs::create_directory(folder + "/step-20-20");
    fs::create_symlink("notes.txt", folder + "/step-30-30.safetensors");
    const auto before = names_in(folder);
    const auto all = scan(folder);
    CHECK(names_in(folder) == before);
    REQUIRE(all.size() == 11);
    CHECK(all[0].path == folder + "/step-20-20");
    CHECK(all[1].sequence == 4);
    CHECK(all[4].sequence == 1);
    CHECK(of(all, "step-20-20").state == checkpoint_state::torn);
    CHECK(of(all, "step-10-1" + suffix).state == checkpoint_state::valid);
    const auto& good = of(all, "step-8-3" + suffix);
    CHECK(good.state == checkpoint_state::valid);
    CHECK(good.problem == "");
    CHECK(good.step == 8);
    CHECK(good.is_pinned);
    CHECK(good.metrics == metric_list{{"loss", 0.25}});
    bool has_commit = false;
    for (const auto& [key, value] : good.metadata) has_commit = has_commit || (key == "commit" && value == "1f0c");
    CHECK(has_commit);
    CHECK(good.bytes > 408);
    const auto& flipped = of(all, "step-9-2" + suffix);
    CHECK(flipped.state == checkpoint_state::corrupt);
    CHECK(!flipped.problem.empty());
    CHECK(!flipped.is_pinned);
    CHECK(of(all, "step-7-4" + suffix).state == checkpoint_state::corrupt);
    for (const char* name : {"notes.txt", "step-1-1.safetensors.bak", "step-30-30.safetensors"}) {
      CHECK(of(all, name).state == checkpoint_state::foreign);
      CHECK(of(all, name).sequence == 0);
    }
    CHECK(of(all, ".step-11-5.safetensors.tmp." + hex32).state == checkpoint_state::torn);
    CHECK(of(all, ".trash." + hex32).state == checkpoint_state::torn);
    CHECK(of(all, ".step-12-6.tmp." + hex32).bytes == 1234);
    const std::string text = to_text(all);
    for (const char* part : {"valid pinned", "corrupt", "torn", "foreign", "loss 0.25"}) CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("the tensor that is damaged is named; a look at headers alone does not find it") {
  const scratch::folder place;
  const std::string folder = place / "run";
  checkpointer run{folder, {}};
  counters large;
  large.weights.assign(100'000, 1.0f);
  run.save(large, 1);
  damage(path_of(folder, 1));
  const auto all = scan(folder);
  REQUIRE(all.size() == 1);
  CHECK(all[0].state == checkpoint_state::corrupt);
  CHECK(all[0].tensor == "weights");
  CHECK(scan(folder, {.threads = 1})[0].tensor == "weights");
  const auto quick = scan(folder, {.reads_data = false});
  CHECK(quick[0].state == checkpoint_state::valid);
  CHECK(quick[0].bytes == fs::file_size(path_of(folder, 1)));
  fs::resize_file(path_of(folder, 1), 1000);
  CHECK(scan(folder, {.reads_data = false})[0].state == checkpoint_state::corrupt);
}

TEST_CASE("ages count from when a checkpoint was written") {
  const scratch::folder place;
  checkpointer run{place / "run", {}};
  run.save(at_step(1), 1);
  run.save(at_step(2), 2);
  fs::last_write_time(path_of(place / "run", 1), fs::file_time_type::clock::now() - std::chrono::hours(3));
  const auto all = scan(place / "run");
  CHECK(all[0].age_seconds < 3600);
  CHECK(all[1].age_seconds > 3 * 3600 - 60);
}

TEST_CASE("files of other writers, of later releases, and compressed ones without their compression are foreign, not corrupt") {
  const scratch::folder place;
  const std::string folder = place / "run";
  fs::create_directory(folder);
  std::string header = R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
  while (header.size() % 8 != 0) header += ' ';
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  scratch::put(folder + "/step-1-1.safetensors", file + header + "abcd");
  scratch::put(folder + "/step-2-2.safetensors.zst", "compressed");
  save(at_step(3), folder + "/step-3-3.safetensors");
  scratch::put(folder + "/step-4-4.safetensors", "");
  const auto all = scan(folder);
  REQUIRE(all.size() == 4);
  CHECK(all[0].state == checkpoint_state::corrupt);
  CHECK(all[1].state == checkpoint_state::valid);
  CHECK(all[2].state == checkpoint_state::foreign);
  CHECK(all[3].state == checkpoint_state::foreign);
  for (const auto& c : all) CHECK(c.problem.empty() == (c.state == checkpoint_state::valid));
}

TEST_CASE("what could not be read for another reason than the disk is an error of the scan, not damage") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    checkpointer{place / "run", {.shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt}}.save(at_step(1), 1);
    CHECK(child::outcome_of([&] {  // whatever number of descriptors is left
      int last = ::dup(0);
      ::close(last);
      int judged = 0;
      for (int left = 0; left <= 8; ++left) {
        const rlimit few{static_cast<rlim_t>(last + left), static_cast<rlim_t>(last + 100)};
        if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return 1;
        try {
          const auto all = scan(place / "run");
          ++judged;
          if (all.size() != 1 || all[0].state != checkpoint_state::valid) return 2;
        } catch (const error& e) {
          if (e.code() != errc::io || e.system() != EMFILE || judged != 0) return 3;
        }
      }
      return judged != 0 ? 0 : 4;
    }) == "exit 0");
    fs::permissions(place.path(), fs::perms::all);
    fs::permissions(is_sharded ? place / "run/step-1-1/model-00001-of-00002.safetensors" : place / "run/step-1-1.safetensors", fs::perms::none);
    CHECK(child::outcome_of([&] {
      child::become_nobody();
      return scratch::code_of([&] { scan(place / "run"); }) == "io" ? 0 : 1;
    }) == "exit 0");
  }
}

TEST_CASE("a scan of compressed checkpoints reads through the compression") {
  const scratch::folder place;
  checkpointer run{place / "run", {.compression = xor_compression()}};
  run.save(at_step(1), 1);
  CHECK(scan(place / "run", {.compression = xor_compression()})[0].state == checkpoint_state::valid);
  CHECK(scan(place / "run")[0].state == checkpoint_state::foreign);  // a suffix that nobody told it of
}

TEST_CASE("what cannot be scanned is an error, an empty folder an empty list") {
  const scratch::folder place;
  CHECK(scratch::code_of([&] { scan(place / "none"); }) == "not_found");
  CHECK(scan(place.path()).empty());
  { checkpointer run{place / "run", {}}; }
  CHECK(scan(place / "run/").empty());
  CHECK(to_text(std::vector<scanned_checkpoint>{}) == "");
  CHECK(name_of(checkpoint_state::torn) == "torn");
}

TEST_CASE("a scan beside a writer that prunes reports nothing as damaged") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    std::atomic<bool> is_over = false, has_begun = false;
    std::thread writer([&] {
      checkpointer run{place / "run", {.keep_last = 2, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .durability = durability::process}};
      for (std::uint64_t step = 1; step <= 200; ++step) {
        run.save(at_step(step), step);
        has_begun = true;
      }
      is_over = true;
    });
    std::string problem;
    while (!is_over) {
      if (!has_begun) continue;
      try {
        const auto all = scan(place / "run", {.threads = 1});
        for (const auto& c : all) {
          if (c.state == checkpoint_state::corrupt || c.state == checkpoint_state::foreign || (c.sequence != 0 && c.state == checkpoint_state::torn)) problem = to_text(std::vector{c});
        }
      } catch (const error& e) {
        problem = e.what();
      }
    }
    writer.join();
    CHECK(problem == "");
  }
}
