// SPDX-License-Identifier: BSL-1.0
// store/sharded_directory.test.cpp: a state saved as shards is the state saved as a file, and a save that fails or is stopped leaves nothing.
#include <tidemark/store/sharded_directory.hpp>

#include <tidemark/store/sharded_source.hpp>

#include <doctest/doctest.h>

#include "format/read_index.hpp"
#include "sink/scratch.hpp"
#include "sink/scripted_ops.hpp"
#include "trainer.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark;
using scratch::code_of;
namespace fs = std::filesystem;

namespace {

struct pair_of_arrays {
  std::vector<float> a{1, 2, 3};
  std::vector<double> b{4, 5};
  friend bool operator==(const pair_of_arrays&, const pair_of_arrays&) = default;
};
struct nothing {
  friend bool operator==(const nothing&, const nothing&) = default;
};

trainer with_weights(std::size_t count, float value) {
  trainer state;
  state.step = 7;
  state.weights.assign(count, value);
  return state;
}

/// Not to survive a power cut: the tests save often.
sharding quick(std::size_t shards, shard_assignment assign = balanced, unsigned threads = 0) {
  return {.shards = shards, .assign = std::move(assign), .threads = threads, .durability = durability::process};
}

std::set<std::string> files_in(const std::string& path) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("a state comes back from every number of shards, assignment and number of threads as it comes from one file") {
  const scratch::folder dir;
  const trainer state = with_weights(1000, 0.25F);
  const auto by_first_letter = by_group([](std::string_view name) { return std::string(name.substr(0, 1)); });
  const auto one_file = saved(state);
  const std::size_t tensors = plan(state).tensors.size();
  const digest128 whole = fingerprint(state);
  int saves = 0;
  for (const auto& [name, assign] : std::vector<std::pair<std::string, shard_assignment>>{{"balanced", balanced}, {"round_robin", round_robin}, {"by_group", by_first_letter}}) {
    for (std::size_t shards = 1; shards <= tensors + 1; shards += shards < 6 ? 1 : 7) {
      for (const unsigned threads : {1u, 4u}) {
        const std::string path = dir / std::to_string(saves++);
        const save_report report = save(state, sharded_directory{path, quick(shards, assign, threads)});
        CHECK(report.tensors == tensors);
        CHECK(report.level == durability::process);
        CHECK(report.destination == path);
        std::uint64_t bytes = 0;
        for (const auto& file : files_in(path)) bytes += fs::file_size(path + "/" + file);
        CHECK(report.bytes == bytes);
        const sharded_source source{path};
        if (name != "by_group") CHECK(source.parts().size() == (std::min)(shards, tensors));
        CHECK(load<trainer>(source, {.threads = threads}) == state);
        CHECK(open(source).fingerprint() == whole);
        CHECK(bytes_in(saved(load<trainer>(source))) == bytes_in(one_file));
      }
    }
  }
}

TEST_CASE("states of every kind at the root, and of no tensors, are saved and come back") {
  const scratch::folder dir;
  const auto returns = [&](const auto& state, const char* name) {
    save(state, sharded_directory{dir / name, quick(2)});
    return load<std::remove_cvref_t<decltype(state)>>(sharded_source{dir / name}) == state;
  };
  CHECK(returns(nothing{}, "nothing"));
  CHECK(returns(std::vector<double>{1, 2}, "array"));
  CHECK(returns(std::vector<double>{}, "empty"));
  CHECK(returns(std::uint64_t{7}, "number"));
  CHECK(returns(std::map<std::string, std::vector<float>>{{"a/../b", {1}}, {"", {2}}}, "map"));
  CHECK(files_in(dir / "nothing") == std::set<std::string>{"model-00001-of-00001.safetensors", "model.safetensors.index.json", "tidemark.manifest.json"});
}

TEST_CASE("the folder holds shards that are archives, the index and the manifest, and nothing else") {
  const scratch::folder dir;
  const trainer state;
  save(state, sharded_directory{dir / "x", quick(3)});
  CHECK(files_in(dir / "x") == std::set<std::string>{"model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors", "model-00003-of-00003.safetensors", "model.safetensors.index.json", "tidemark.manifest.json"});
  std::map<std::string, std::string> file_of;
  std::uint64_t bytes = 0;
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "model-0000" + std::to_string(i) + "-of-00003.safetensors";
    const archive_view shard(dir / "x/" + name);
    CHECK(verify(dir / "x/" + name).has_digests);
    CHECK(shard.metadata("tidemark.shard") == std::to_string(i) + "/3");
    CHECK(shard.metadata("format") == "pt");
    CHECK(*shard.stored_schema() == schema_of<trainer>());
    for (const auto& t : shard.tensors()) {
      CHECK(file_of.emplace(t.name, name).second);
      bytes += t.bytes;
    }
  }
  const auto index = read_index(scratch::content(dir / "x/model.safetensors.index.json"));
  REQUIRE(index);
  CHECK(index->total_size == bytes);
  CHECK(index->weight_map.size() == file_of.size());
  for (const auto& [tensor, file] : index->weight_map) CHECK(file_of.at(tensor) == file);
  std::set<std::string> planned, stored;
  for (const auto& t : plan(state).tensors) planned.insert(t.name);
  for (const auto& [name, file] : file_of) stored.insert(name);
  CHECK(stored == planned);
}

TEST_CASE("equal states give equal folders") {
  const scratch::folder dir;
  for (const char* name : {"a", "b"}) save(trainer{}, sharded_directory{dir / name, quick(4, balanced, name[0] == 'a' ? 1 : 4)}, {.metadata = {{"step", "7"}}});
  for (const auto& file : files_in(dir / "a")) CHECK(scratch::content(dir / "a/" + file) == scratch::content(dir / "b/" + file));
}

TEST_CASE("a shard alone says which it is, whatever is asked of it") {
  const scratch::folder dir;
  save(trainer{}, sharded_directory{dir / "x", quick(2)});
  const std::string shard = dir / "x/model-00002-of-00002.safetensors";
  trainer target;
  for (const auto& failure : {scratch::failure_of([&] { static_cast<void>(load<trainer>(shard)); }), scratch::failure_of([&] { restore(target, shard); }), scratch::failure_of([&] { static_cast<void>(open(shard).read<trainer>()); }),
                              scratch::failure_of([&] { static_cast<void>(open(shard).read<std::uint64_t>("step")); }), scratch::failure_of([&] { open(shard).restore(target.optimizer, "optimizer"); })}) {
    REQUIRE(failure);
    CHECK(failure->code() == errc::unsupported);
    CHECK(std::string(failure->what()).find("shard 2/2") != std::string::npos);
    CHECK(std::string(failure->what()).find("sharded_source") != std::string::npos);
  }
  CHECK(target == trainer{});
  const auto folder = scratch::failure_of([&] { static_cast<void>(load<trainer>(dir / "x")); });
  REQUIRE(folder);
  CHECK(std::string(folder->what()).find("sharded_source") != std::string::npos);
}

TEST_CASE("metadata of the caller lie in every shard, and come back once") {
  const scratch::folder dir;
  save(pair_of_arrays{}, sharded_directory{dir / "x", quick(2)}, {.metadata = {{"step", "7"}, {"note", "\xc3\xa9\n"}}});
  const auto report = verify(sharded_source{dir / "x"});
  CHECK(report.metadata == metadata_list{{"step", "7"}, {"note", "\xc3\xa9\n"}});
  const sharded_source source{dir / "x"};
  CHECK(open(source).metadata("step") == "7");
  CHECK_FALSE(open(source).metadata("tidemark.shard"));
  for (const char* taken : {"tidemark.shard", "tidemark.x", "tidemark", "format"}) {
    CHECK(code_of([&] { save(pair_of_arrays{}, sharded_directory{dir / "y", quick(2)}, {.metadata = {{taken, "1/1"}}}); }) == "unsupported");
  }
  CHECK(dir.entries() == 1);
}

TEST_CASE("as many metadata as are taken are read, one more is refused before anything is written") {
  const scratch::folder dir;
  metadata_list many;
  for (int i = 0; i < 4093; ++i) many.emplace_back("k" + std::to_string(i), "v");
  save(pair_of_arrays{}, sharded_directory{dir / "x", quick(2)}, {.metadata = many});
  CHECK(verify(sharded_source{dir / "x"}).metadata.size() == many.size());
  many.emplace_back("more", "v");
  CHECK(code_of([&] { save(pair_of_arrays{}, sharded_directory{dir / "y", quick(2)}, {.metadata = many}); }) == "limit");
  CHECK(dir.entries() == 1);
}

TEST_CASE("a committed folder is never overwritten, and settings that mean nothing are refused") {
  const scratch::folder dir;
  save(pair_of_arrays{}, sharded_directory{dir / "x", quick(2)});
  const std::string manifest = scratch::content(dir / "x/tidemark.manifest.json");
  CHECK(code_of([&] { save(pair_of_arrays{{9}, {9}}, sharded_directory{dir / "x", quick(2)}); }) == "exists");
  CHECK(scratch::content(dir / "x/tidemark.manifest.json") == manifest);
  CHECK(load<pair_of_arrays>(sharded_source{dir / "x"}) == pair_of_arrays{});
  CHECK(code_of([&] { save(pair_of_arrays{}, sharded_directory{dir / "none/x", quick(2)}); }) == "not_found");
  CHECK(code_of([&] { sharded_directory(dir / "y", {.shards = 0, .max_shard_bytes = 0}); }) == "unsupported");
  for (const std::string& name : {std::string(".a b"), std::string(".\xc3\xa4"), std::string("/x"), std::string(".x\0y", 4), std::string("~"), std::string(300, 'x')}) {
    CHECK(code_of([&] { sharded_directory(dir / "y", {.shards = 2, .compression = {.suffix = name, .wrap = [](any_sink to) { return to; }, .unwrap = [](any_source from) { return from; }}}); }) == "invalid_value");
    CHECK(code_of([&] { sharded_directory(dir / "y", {.shards = 2, .sums = {.list_name = name, .start = [] { return running_digest{}; }}}); }) == "invalid_value");
  }
  CHECK(sharded_directory(dir / "y", {.shards = 0, .max_shard_bytes = 0, .assign = by_group([](std::string_view) { return std::string(); })}).name() == dir / "y");
  CHECK_THROWS_AS(save(pair_of_arrays{}, sharded_directory{dir / "y", quick(0, by_group([](std::string_view) -> std::string { throw 7; }))}), int);
  CHECK(dir.entries() == 1);
}

TEST_CASE("levels of durability: two syncs of folders and one a file, or none, or no space reserved either") {
  const trainer state = with_weights(700'000, 0.F);
  for (const auto level : {durability::power, durability::process, durability::none}) {
    const scratch::folder dir;
    scripted::script script;
    const auto report = save(state, basic_sharded_directory<scripted::ops>{dir / "x", {.shards = 2, .threads = 1, .durability = level}, scripted::ops(script)});
    CHECK(report.level == level);
    std::map<std::string, int> calls;
    for (const auto& c : script.trace) ++calls[c.name + " " + c.object];
    CHECK(calls["fsync file"] == (level == durability::power ? 4 : 0));
    CHECK(calls["fsync folder"] == (level == durability::power ? 2 : 0));
    CHECK(calls["fallocate file"] == (level == durability::none ? 0 : 1));  // the small shard saves the call
    CHECK(calls["renameat2 x"] == 1);
  }
}

TEST_CASE("every file is synced before the folder, the manifest is written last, and the name comes behind all of it") {
  const scratch::folder dir;
  scripted::script script;
  script.keeps_bytes = true;
  save(trainer{}, basic_sharded_directory<scripted::ops>{dir / "x", {.shards = 3, .threads = 1}, scripted::ops(script)});
  std::string steps, last_written;
  for (const auto& c : script.trace) {
    if (c.name == "write") last_written = c.bytes;
    if (c.name == "write" || c.name == "fsync" || c.name == "renameat2") steps += c.name[0] == 'r' ? "name " : c.name + (c.object == "folder" ? "-folder " : " ");
  }
  std::string expected;
  for (int file = 0; file < 5; ++file) expected += "write fsync ";
  CHECK(steps == expected + "fsync-folder name fsync-folder ");
  CHECK(last_written.find("\"shard\": true") != std::string::npos);
}

TEST_CASE("whatever call fails, with whatever errno: no folder, or all of it; the error says which, and nothing leaks") {
  scripted::script whole;
  const pair_of_arrays state;
  const auto save_to = [&](const scratch::folder& dir, scripted::script& script) { save(state, basic_sharded_directory<scripted::ops>{dir / "x", {.shards = 2, .threads = 1}, scripted::ops(script)}); };
  {
    const scratch::folder dir;
    save_to(dir, whole);
  }
  const std::size_t before = scratch::open_descriptors();
  int cases = 0;
  for (std::size_t at = 0; at < whole.trace.size(); ++at) {
    for (const int number : {EIO, ENOSPC, EDQUOT, EACCES, ENOENT, EROFS, EMFILE, ENOMEM, EXDEV, EPERM}) {
      if (whole.trace[at].name == "fstatat" && number == ENOENT) continue;  // nothing there is as it should be
      const scratch::folder dir;
      scripted::script script;
      script.fail_at = static_cast<int>(at);
      script.error = number;
      const auto failure = scratch::failure_of([&] { save_to(dir, script); });
      CAPTURE(whole.names()[at]);
      CAPTURE(number);
      ++cases;
      CHECK(scratch::open_descriptors() == before);
      if (!failure || failure->code() == errc::commit_unknown) {
        CHECK(load<pair_of_arrays>(sharded_source{dir / "x"}) == state);
        CHECK((failure ? whole.trace[at].name == "fsync" || whole.trace[at].name == "fstat" : whole.names()[at] == "close folder"));
      } else {
        CHECK(dir.entries() == 0);
        CHECK(failure->details().file.find("/x") != std::string::npos);
        CHECK(failure->system() == number);
      }
    }
  }
  CHECK(cases > 250);
}

TEST_CASE("a save that is stopped at any moment leaves nothing, with one thread and with several") {
  const trainer state = with_weights(600'000, 1.5F);
  for (const unsigned threads : {1u, 3u}) {
    const auto save_until = [&](const std::string& path, int last) {
      std::atomic<int> asked{0};
      save(state, sharded_directory{path, quick(3, balanced, threads)}, {.cancel = [&] { return asked++ >= last; }});
      return asked.load();
    };
    const scratch::folder dir;
    const int all = save_until(dir / "whole", INT_MAX);
    CHECK(all > 30);
    for (int last = 0; last < all; ++last) {
      const auto failure = scratch::failure_of([&] { save_until(dir / "x", last); });
      REQUIRE(failure);
      CHECK(failure->code() == errc::cancelled);
      CHECK(std::string(failure->what()).find("stop was requested") != std::string::npos);  // the cause, not what it did to another thread
      CHECK(dir.entries() == 1);
    }
    save_until(dir / "x", all);
    CHECK(load<trainer>(sharded_source{dir / "x"}) == state);
  }
}

TEST_CASE("progress grows to exactly its total, and an exception from it reaches the caller and leaves nothing") {
  trainer state = with_weights(900'000, 1.5F);
  state.optimizer.m.resize(500'000);
  state.optimizer.v.resize(400'000);
  for (const unsigned threads : {1u, 4u}) {
    const scratch::folder dir;
    std::vector<progress> told;
    const auto report = save(state, sharded_directory{dir / "x", quick(3, balanced, threads)}, {.progress = [&](const progress& p) { told.push_back(p); }});
    REQUIRE(told.size() > 4);
    for (std::size_t i = 0; i < told.size(); ++i) {
      CHECK(told[i].bytes_total == told[0].bytes_total);
      CHECK((i == 0 || told[i].bytes_done > told[i - 1].bytes_done));
    }
    CHECK(told.back().bytes_done == told.back().bytes_total);
    CHECK(told.back().bytes_total <= report.bytes);
    CHECK(told.back().bytes_total > report.bytes - 10'000);
    for (std::size_t last = 0; last < (threads == 1 ? told.size() : told.size() / 3); ++last) {  // how many calls come, chance says
      std::size_t calls = 0;
      CHECK_THROWS_AS(save(state, sharded_directory{dir / "y", quick(3, balanced, threads)}, {.progress = [&](const progress&) { if (calls++ >= last) throw 7; }}), int);
      CHECK(dir.entries() == 1);
    }
  }
}

TEST_CASE("a state that cannot be written leaves nothing") {
  const scratch::folder dir;
  CHECK(code_of([&] { save(std::map<std::string, std::variant<int, std::string>>{}, sharded_directory{dir / "x", quick(2)}, {.metadata = {{"a", "\xff"}}}); }) == "unsupported");
  CHECK(dir.entries() == 0);
}
