// SPDX-License-Identifier: BSL-1.0
// store/sharded_source.test.cpp: a folder of shards is read as one file is, and nothing that lies in it leads anywhere else.
#include <tidemark/store/sharded_source.hpp>

#include <tidemark/store/sharded_directory.hpp>

#include <doctest/doctest.h>

#include "sink/scratch.hpp"
#include "sink/scripted_ops.hpp"
#include "trainer.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

using namespace tidemark;
using scratch::code_of;
namespace fs = std::filesystem;

namespace {

const sharding three = {.shards = 3, .durability = durability::process};

trainer with_weights(std::size_t count, float value) {
  trainer state;
  state.step = 7;
  state.weights.assign(count, value);
  return state;
}

/// A saved state in three shards.
struct checkpoint {
  scratch::folder dir;
  std::string path = dir / "x";
  explicit checkpoint(const trainer& state = {}, const sharding& how = three) { save(state, sharded_directory{path, how}, {.metadata = {{"step", "42"}}}); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

/// Of what `load` does to the folder: the code, and whether the message names `file`.
std::string outcome(const std::string& path, const std::string& file = {}) {
  const auto failure = scratch::failure_of([&] { static_cast<void>(load<trainer>(sharded_source{path})); });
  if (!failure) return "success";
  const bool is_named = failure->details().file == (file.empty() ? path : path + "/" + file);
  return std::string(name_of(failure->code())) + (is_named ? "" : ", but of " + failure->details().file);
}

}  // namespace

TEST_CASE("load, restore, verify and open of shards give what those of one file give") {
  const trainer state = with_weights(100, 2.5F);
  const checkpoint at(state);
  memory one;
  save(state, one, {.metadata = {{"step", "42"}}});
  const sharded_source source{at.path};
  CHECK(source.name() == at.path);

  const load_report there = verify(source), here = verify(one);
  CHECK(there.tensors == here.tensors);
  CHECK(there.blocks == here.blocks);
  CHECK(there.has_digests);
  CHECK(there.has_schema);
  CHECK(there.metadata == here.metadata);
  CHECK(there.bytes == source.size());
  CHECK(there.source == at.path);

  trainer target;
  target.weights.assign(100, 0.F);
  const float* const address = target.weights.data();
  const auto restored = restore(target, source);
  CHECK(target == state);
  CHECK(target.weights.data() == address);
  CHECK(restored.blocks == 2 * here.blocks);

  archive parts = open(sharded_source{at.path});
  archive same = open(one);
  CHECK(parts.fingerprint() == same.fingerprint());
  CHECK(parts.describe() == same.describe());
  CHECK(parts.metadata() == same.metadata());
  CHECK(*parts.stored_schema() == *same.stored_schema());
  CHECK(parts.has_digests());
  CHECK(parts.tensors().size() == same.tensors().size());
  CHECK(parts.unclaimed().size() == same.unclaimed().size());
  CHECK(parts.read<optimizer_state>("optimizer") == state.optimizer);
  CHECK(parts.read<layer>("layers.1") == state.layers[1]);
  CHECK(parts.read<std::vector<double>>("history.loss") == state.history.at("loss"));
  CHECK(parts.slice<float>("weights", 90, 10) == std::vector<float>(10, 2.5F));
  std::vector<float> into(3);
  parts.read_slice(std::span(into), "weights", 4);
  CHECK(into == std::vector<float>(3, 2.5F));
  CHECK_FALSE(parts.unclaimed().empty());
  CHECK(parts.read<trainer>() == state);
  parts.require_all_claimed();
}

TEST_CASE("large arrays come from several shards on several threads, in every way to read them") {
  trainer state = with_weights(5'000'000, 1.25F);
  state.optimizer.m.assign(1'500'000, 3.F);
  state.optimizer.v.assign(2'000'000, 4.F);
  const checkpoint at(state);
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::vector<progress> told;
    const auto track = [&](const progress& p) { told.push_back(p); };
    const auto require_told = [&] {
      REQUIRE(told.size() > 10);
      for (std::size_t i = 1; i < told.size(); ++i) CHECK((told[i].bytes_done > told[i - 1].bytes_done && told[i].bytes_total == told[0].bytes_total));
      CHECK(told.back().bytes_done == told.back().bytes_total);
      told.clear();
    };
    const sharded_source source{at.path};
    CHECK(load<trainer>(source, {.threads = threads, .progress = track}) == state);
    require_told();
    trainer target;
    restore(target, source, {.threads = threads, .progress = track});
    CHECK(target == state);
    require_told();
    verify(source, {.threads = threads, .progress = track});
    require_told();
  }
}

TEST_CASE("many small tensors on either side of where a shard ends are counted once") {
  for (std::size_t tensors : {10u, 500u}) {
    std::map<std::string, std::vector<double>> state;
    for (std::size_t i = 0; i < tensors; ++i) state["k" + std::to_string(i)] = std::vector<double>(i, 0.5);
    const scratch::folder dir;
    save(state, sharded_directory{dir / "x", {.shards = 7, .durability = durability::process}});
    std::uint64_t last = 0, total = 0;
    verify(sharded_source{dir / "x"}, {.progress = [&](const progress& p) {
      CHECK(p.bytes_done <= p.bytes_total);
      last = p.bytes_done;
      total = p.bytes_total;
    }});
    CHECK(last == total);
    CHECK(load<decltype(state)>(sharded_source{dir / "x"}) == state);
  }
}

namespace older {
struct thing {
  static constexpr std::string_view checkpoint_name = "thing";
  std::int32_t count = 3;
  std::vector<float> rate{1, 2};
  std::vector<double> dropped{7};
};
}  // namespace older
namespace newer {
struct thing {
  static constexpr std::string_view checkpoint_name = "thing";
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"rate", "lr"}};
  std::int64_t count = 0;
  std::vector<float> lr;
  std::string added = "default";
};
}  // namespace newer

TEST_CASE("an older version of a type is read from shards") {
  const scratch::folder dir;
  save(older::thing{}, sharded_directory{dir / "x", three});
  load_report report;
  const auto now = load<newer::thing>(sharded_source{dir / "x"}, {.report = &report});
  CHECK(now.count == 3);
  CHECK(now.lr == std::vector<float>{1, 2});
  CHECK(now.added == "default");
  CHECK_FALSE(report.evolution.empty());
  newer::thing target;
  target.added = "changed";
  restore(target, sharded_source{dir / "x"});
  CHECK(target.lr == std::vector<float>{1, 2});
  CHECK(target.added == "default");
}

TEST_CASE("bytes are read across shards, by several threads at once, and not beyond the end") {
  const checkpoint at;
  const sharded_source source{at.path};
  std::string all;
  for (const auto& part : source.parts()) {
    CHECK(part.start == all.size());
    all += scratch::content(part.name);
  }
  CHECK(source.size() == all.size());
  const auto require_equal = [&](std::uint64_t offset, std::size_t size) {
    std::string piece(size, '?');
    source.read(offset, std::as_writable_bytes(std::span(piece)));
    return piece == all.substr(static_cast<std::size_t>(offset), size);
  };
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, all.size() / 2, all.size()}) {
        for (std::size_t offset = t; offset + size <= all.size(); offset += 97) wrong += !require_equal(offset, size);
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(require_equal(all.size(), 0));
  std::string piece(2, '?');
  for (const std::uint64_t offset : {std::uint64_t{all.size() - 1}, std::uint64_t{all.size()}, std::uint64_t{all.size() + 1}, UINT64_MAX}) {
    CHECK(code_of([&] { source.read(offset, std::as_writable_bytes(std::span(piece))); }) == "truncated");
  }
}

TEST_CASE("a folder that is none, or holds no manifest, is told apart from a damaged one") {
  const scratch::folder dir;
  CHECK(outcome(dir / "none") == "not_found");
  CHECK(outcome("") == "not_found");
  scratch::put(dir / "file", "x");
  CHECK(outcome(dir / "file") == "not_found");
  fs::create_directory(dir / "empty");
  CHECK(outcome(dir / "empty") == "not_found");
  CHECK(code_of([&] { sharded_source{std::string("a\0b", 3)}; }) == "unsafe_path");
  const auto failure = scratch::failure_of([&] { sharded_source{dir / "empty"}; });
  CHECK(std::string(failure->what()).find("manifest") != std::string::npos);
}

TEST_CASE("each file that is missing is named; files that are not listed are ignored") {
  const checkpoint whole;
  for (const auto& file : whole.files()) {
    const checkpoint at;
    fs::remove(at / file);
    CHECK(outcome(at.path, file == "tidemark.manifest.json" ? "" : file) == "not_found");
  }
  const checkpoint at;
  scratch::put(at / "model-00004-of-00003.safetensors", "x");
  scratch::put(at / "notes.txt", "x");
  fs::create_directory(at / "folder");
  fs::create_symlink("/etc/passwd", at / "link");
  CHECK(outcome(at.path) == "success");
}

TEST_CASE("whatever stands in the place of a file and is none is refused by name, without waiting for it") {
  const checkpoint whole;
  for (const auto& file : whole.files()) {
    CAPTURE(file);
    const checkpoint at;
    const std::string place = at / file, aside = at.dir / "aside", inside = at / "aside";
    const auto refused = [&] {
      const std::string result = outcome(at.path, file);
      fs::remove_all(place);
      return result;
    };
    fs::copy(place, inside);
    fs::rename(place, aside);
    fs::create_symlink(aside, place);
    CHECK(refused() == "unsafe_path");  // though it leads to the very file
    fs::create_symlink("../aside", place);
    CHECK(refused() == "unsafe_path");
    fs::create_symlink("aside", place);
    CHECK(refused() == "unsafe_path");  // though it stays in the folder
    fs::create_symlink(file, place);
    CHECK(refused() == "unsafe_path");
    fs::create_symlink("nowhere", place);
    CHECK(refused() == "unsafe_path");
    fs::create_directory(place);
    CHECK(refused() == "unsafe_path");
    REQUIRE(::mkfifo(place.c_str(), 0600) == 0);
    CHECK(refused() == "unsafe_path");
    if (::mknod(place.c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0) {  // /dev/zero; root only
      CHECK((refused() == "unsafe_path" || ::geteuid() != 0));
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (place.size() < sizeof address.sun_path) {
      place.copy(address.sun_path, place.size());
      const int number = ::socket(AF_UNIX, SOCK_STREAM, 0);
      REQUIRE(::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
      CHECK(refused() == "unsafe_path");
      ::close(number);
    }
    fs::create_hard_link(aside, place);
    CHECK(outcome(at.path, file) == "success");  // a name like any other
  }
}

TEST_CASE("the folder may be reached by a symbolic link and with slashes behind it, as any path") {
  const checkpoint at;
  fs::create_directory_symlink(at.path, at.dir / "link");
  for (const std::string& path : {at.dir / "link", at.path + "/", at.path + "//", at.dir / "./x", at.dir / "x/../x"}) CHECK(load<trainer>(sharded_source{path}) == trainer{});
  fs::create_symlink("loop", at.dir / "loop");
  CHECK(outcome(at.dir / "loop") == "unsafe_path");
}

TEST_CASE("a folder that is renamed or replaced while it is open is read as it was") {
  const checkpoint at;
  const sharded_source source{at.path};
  fs::rename(at.path, at.dir / "away");
  save(with_weights(1, 1.F), sharded_directory{at.path, three});
  CHECK(load<trainer>(source) == trainer{});
  fs::remove_all(at.dir / "away");
  CHECK(load<trainer>(source) == trainer{});
}

TEST_CASE("a shard that shrinks while it is open is an error that names it, and leaves the target alone") {
  const checkpoint at(with_weights(100'000, 1.F));
  const sharded_source source{at.path};
  const std::string shard = source.parts()[0].name;
  fs::resize_file(shard, fs::file_size(shard) - 1000);
  trainer target;
  const auto failure = scratch::failure_of([&] { restore(target, source); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::truncated);
  CHECK(failure->details().file == shard);
  CHECK(target == trainer{});
}

TEST_CASE("opening and reading fail cleanly at every call, and give every descriptor back") {
  const checkpoint at;
  scripted::script whole;
  const auto read_by = [&](scripted::script& script) { return load<trainer>(basic_sharded_source<scripted::ops>{at.path, {}, scripted::ops(script)}, {.threads = 1}); };
  CHECK(read_by(whole) == trainer{});
  const std::size_t before = scratch::open_descriptors();
  for (std::size_t n = 0; n < whole.trace.size(); ++n) {
    if (whole.trace[n].name == "close") continue;
    for (const int number : {EIO, EACCES, EMFILE, ENOMEM}) {
      scripted::script script;
      script.fail_at = static_cast<int>(n);
      script.error = number;
      const auto failure = scratch::failure_of([&] { static_cast<void>(read_by(script)); });
      CAPTURE(whole.names()[n]);
      REQUIRE(failure);
      CHECK(failure->code() == errc::io);
      CHECK(failure->system() == number);
      CHECK(failure->details().file.starts_with(at.path));
      CHECK(scratch::open_descriptors() == before);
    }
  }
  scripted::script slow;
  slow.interrupts = true;
  slow.shorten = [](std::size_t n) { return n > 1 ? n / 2 : n; };
  CHECK(read_by(slow) == trainer{});
}

TEST_CASE("a manifest of any size costs no more memory than it may have, and a sparse file none") {
  const checkpoint at;
  fs::resize_file(at / "tidemark.manifest.json", std::uintmax_t{1} << 40);
  CHECK(outcome(at.path, "tidemark.manifest.json") == "limit");
  const checkpoint other;
  fs::resize_file(other / "model.safetensors.index.json", std::uintmax_t{1} << 40);
  CHECK(outcome(other.path, "model.safetensors.index.json") == "corrupt");  // another size than the manifest says
  fs::resize_file(other / "model.safetensors.index.json", std::uintmax_t{1} << 31);
  scratch::put(other / "tidemark.manifest.json", detail::make_manifest({{"model.safetensors.index.json", std::uint64_t{1} << 31, std::string(32, '0'), false}, {"model-00001-of-00003.safetensors", 1, "", true}}));
  CHECK(outcome(other.path, "model.safetensors.index.json") == "corrupt");
}

TEST_CASE("a shard of no bytes, and one that no address could hold, are refused") {
  const checkpoint at;
  fs::resize_file(at / "model-00001-of-00003.safetensors", 0);
  scratch::put(at / "tidemark.manifest.json", detail::make_manifest({{"model-00001-of-00003.safetensors", 0, "", true}}));
  CHECK(outcome(at.path, "model-00001-of-00003.safetensors") == "corrupt");
  const auto huge = std::uintmax_t{1} << 40;
  fs::resize_file(at / "model-00002-of-00003.safetensors", huge);
  scratch::put(at / "tidemark.manifest.json", detail::make_manifest({{"model-00002-of-00003.safetensors", huge, "", true}}));
  CHECK(outcome(at.path, "model-00002-of-00003.safetensors") == "corrupt");
}
