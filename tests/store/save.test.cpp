// SPDX-License-Identifier: BSL-1.0
// store/save.test.cpp: one call saves a state, the same bytes for the same state.
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace tidemark;
namespace fs = std::filesystem;

namespace {

/// Fails at the n-th write, or at commit.
struct failing_sink {
  int at;
  bool* is_committed;
  struct writer {
    int left;
    bool* is_committed;
    void write(std::span<const std::byte>) {
      if (left-- == 0) throw error({.code = errc::no_space, .file = "failing", .problem = "the disk is full"});
    }
    durability commit() {
      if (left <= 1000) throw error({.code = errc::io, .file = "failing", .problem = "commit failed"});
      *is_committed = true;
      return durability::none;
    }
  };
  writer open(std::uint64_t) const { return {at, is_committed}; }
  std::string name() const { return "failing"; }
};

}  // namespace

TEST_CASE("save, load, save gives equal bytes, to memory and to a file") {
  const folder dir;
  const trainer state;
  const auto first = saved(state);
  const auto second = saved(load<trainer>(first));
  CHECK(bytes_in(first) == bytes_in(second));
  const auto report = save(state, dir.path / "a.safetensors");
  CHECK(report.level == durability::power);
  CHECK(report.bytes == first.size());
  CHECK(report.destination == (dir.path / "a.safetensors").string());
  CHECK(report.tensors == plan(state).tensors.size());
  CHECK(report.seconds > 0);
  std::ifstream in(dir.path / "a.safetensors", std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(in)), {});
  CHECK(content == std::string(reinterpret_cast<const char*>(first.bytes().data()), first.bytes().size()));
}

TEST_CASE("paths of every spelling are taken: literals, strings, filesystem paths") {
  const folder dir;
  const std::string name = (dir.path / "x.safetensors").string();
  save(trainer{}, name);
  save(trainer{}, name.c_str());
  save(trainer{}, fs::path(name));
  save(trainer{}, atomic_file{name});
  CHECK(load<trainer>(name) == trainer{});
  CHECK(load<trainer>(name.c_str()) == trainer{});
  CHECK(load<trainer>(fs::path(name)) == trainer{});
  CHECK(std::distance(fs::directory_iterator(dir.path), fs::directory_iterator{}) == 1);
}

TEST_CASE("the caller's metadata travels with the state; taken and ill-formed keys are refused") {
  const auto m = saved(trainer{}, {.metadata = {{"step", "500"}, {"loss", "1.25"}}});
  load_report report;
  static_cast<void>(load<trainer>(m, {.report = &report}));
  CHECK(report.metadata == metadata_list{{"step", "500"}, {"loss", "1.25"}});
  for (const auto& wrong : {metadata_list{{"format", "x"}}, metadata_list{{"tidemark", "x"}}, metadata_list{{"a", "1"}, {"a", "2"}}, metadata_list{{"a", "\xff"}}, metadata_list{{"\xc3", "a"}}}) {
    CHECK_THROWS_AS(saved(trainer{}, {.metadata = wrong}), error);
  }
}

TEST_CASE("a failure at any write or at the commit leaves what was there, and says what was being saved to where") {
  bool is_committed = false;
  int writes = 0;
  for (;; ++writes) {
    try {
      save(trainer{}, failing_sink{writes, &is_committed});
    } catch (const error& e) {
      CHECK_FALSE(is_committed);
      CHECK(std::string(e.what()).starts_with("tidemark: cannot save failing: "));
      if (e.code() == errc::io) break;
      CHECK(e.code() == errc::no_space);
    }
  }
  CHECK(writes > 10);
  save(trainer{}, failing_sink{100000, &is_committed});
  CHECK(is_committed);

  memory kept = saved(trainer{});
  const auto before = bytes_in(kept);
  trainer other;
  other.step = 1;
  CHECK_THROWS_AS(save(other, kept, {.metadata = {{"format", "taken"}}}), error);
  CHECK_THROWS_AS(save(other, kept, {.progress = [](const progress&) { throw std::runtime_error("stop"); }}), std::runtime_error);
  CHECK(bytes_in(kept) == before);
}

TEST_CASE("errors of the file system are told apart and name the file") {
  const folder dir;
  const auto code = [](const fs::path& path) {
    try {
      save(trainer{}, path);
      return std::string("none");
    } catch (const error& e) {
      CHECK(std::string(e.what()).find(path.string()) != std::string::npos);
      return std::string(name_of(e.code()));
    }
  };
  CHECK(code(dir.path / "missing" / "a") == "not_found");
  CHECK(code(dir.path) != "none");
  fs::create_directory(dir.path / "folder");
  CHECK(code(dir.path / "folder") == "unsafe_path");
  fs::create_symlink("elsewhere", dir.path / "link");
  CHECK(code(dir.path / "link") == "unsafe_path");
}

TEST_CASE("progress rises to the whole and is told at least once") {
  std::vector<std::uint64_t> seen;
  std::uint64_t total = 0;
  const auto note = [&](const progress& p) {
    seen.push_back(p.bytes_done);
    total = p.bytes_total;
  };
  std::vector<float> large(3'000'000, 1.f);
  const auto m = saved(large, {.progress = note});
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(seen.size() > 8);
  CHECK(seen.back() == m.size());
  CHECK(total == m.size());
  seen.clear();
  saved(1, {.progress = note});
  CHECK(seen.size() == 1);
}

TEST_CASE("blocks: arrays around the size of a block and of a piece keep every byte") {
  constexpr std::size_t mib = 1 << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, mib - 1, mib, mib + 1, 16 * mib - 1, 16 * mib, 16 * mib + 1, 33 * mib + 5}) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761u >> 24);
    const auto m = saved(bytes);
    CHECK(verify(m).blocks == (size + 16 * mib - 1) / (16 * mib));
    CHECK(load<std::vector<std::uint8_t>>(m) == bytes);
    const folder dir;
    save(bytes, dir.path / "a");
    CHECK(load<std::vector<std::uint8_t>>(dir.path / "a") == bytes);
    std::vector<bool> bits(size / 8 + 1, true);
    bits[size / 16] = false;
    CHECK(load<std::vector<bool>>(saved(bits)) == bits);
  }
}

TEST_CASE("columns longer than a block keep every row") {
  std::vector<sample> rows(900'000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {static_cast<std::uint32_t>(i), std::string(20 + i % 3, 'a'), i % 7 ? std::optional<double>{} : static_cast<double>(i)};
  const folder dir;
  save(rows, dir.path / "a");
  CHECK(load<std::vector<sample>>(dir.path / "a") == rows);
}

namespace {
enum class phase : std::uint8_t { warm, main };
struct phased {
  phase now = phase::warm;
  std::vector<phase> all{phase::warm};
};
}  // namespace
template <>
inline constexpr tidemark::enumerators<phase> tidemark::enum_range<phase>{phase::warm, phase::main};

TEST_CASE("a value that a load would refuse is refused when it is saved, and the old archive stays") {
  memory m;
  save(phased{}, m);
  const std::string before(detail::text_of(m.bytes()));
  phased wrong;
  wrong.all = {phase::main, static_cast<phase>(9)};
  try {
    save(wrong, m);
    CHECK(false);
  } catch (const error& e) {
    CHECK(e.code() == errc::invalid_value);
    CHECK(e.details().tensor == "all");
  }
  CHECK(std::string(detail::text_of(m.bytes())) == before);
}
