// SPDX-License-Identifier: BSL-1.0
// store/open.test.cpp: parts of an archive in any order: verified, compared, counted, and untouched by damage elsewhere.
#include <tidemark/store/open.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <set>

using namespace tidemark;

namespace {

std::string code_of(auto f, std::string_view says = {}) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    const std::string what = e.what();
    CHECK(what.starts_with("tidemark: cannot "));
    CAPTURE(what);
    CHECK(what.find(says) != std::string::npos);
    return std::string(name_of(e.code()));
  }
}

/// Counts what is read, and fails from the `fails_at`th read on.
struct counting_source {
  std::vector<std::byte> content;
  mutable std::atomic<std::uint64_t> bytes_read{0};
  mutable std::atomic<int> reads{0}, fails_at{-1};

  explicit counting_source(std::vector<std::byte> bytes) : content(std::move(bytes)) {}
  std::uint64_t size() const { return content.size(); }
  std::string name() const { return "counting"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (fails_at >= 0 && reads >= fails_at) throw error({.code = errc::io, .problem = "the disk failed"});
    ++reads;
    bytes_read += into.size();
    std::memcpy(into.data(), content.data() + offset, into.size());
  }
};

/// Where the bytes of a tensor lie in the file.
std::pair<std::size_t, std::size_t> place_of(const std::vector<std::byte>& bytes, std::string_view name) {
  const auto header = detail::read_header(bytes.size(), [&](std::uint64_t at, std::span<std::byte> into) { std::memcpy(into.data(), bytes.data() + at, into.size()); });
  const tensor_info* t = header.find(name);
  REQUIRE(t != nullptr);
  return {static_cast<std::size_t>(header.data_start + t->offset), static_cast<std::size_t>(t->bytes)};
}

}  // namespace

TEST_CASE("parts come in any order, from a file, from memory that outlives the archive and from one that it keeps") {
  const folder f;
  const trainer state;
  const auto path = f.path / "a.safetensors";
  save(state, path, {.metadata = {{"step", "42"}}});
  const memory bytes = saved(state, {.metadata = {{"step", "42"}}});
  for (int from = 0; from < 4; ++from) {
    archive first = from == 0 ? open(path) : from == 1 ? open(path.string()) : from == 2 ? open(bytes) : open(memory(bytes.bytes()));
    archive a = std::move(first);
    load_report report;
    CHECK(a.read<optimizer_state>("optimizer", {.report = &report}) == state.optimizer);
    CHECK(report.blocks == 4);
    CHECK(report.metadata == metadata_list{{"step", "42"}});
    CHECK(a.read<std::uint64_t>("step") == 42);
    layer target;
    target.weight.assign(1, {7, 7});
    const auto* address = target.weight.data();
    CHECK(a.restore(target, "layers.1").blocks == 4);  // two arrays, twice
    CHECK(target == state.layers[1]);
    CHECK(target.weight.data() == address);
    CHECK(a.read<std::vector<double>>("history.loss") == state.history.at("loss"));
    CHECK(a.read<trainer>() == state);
    CHECK(a.metadata("step") == "42");
    CHECK(a.has_digests());
    CHECK(*a.stored_schema() == schema_of<trainer>());
    CHECK(a.describe() == describe<trainer>());
    CHECK(a.tensors().size() == plan(state).tensors.size());
  }
  CHECK(code_of([] { static_cast<void>(open("no/such/file")); }, "cannot open no/such/file") == "not_found");
  CHECK(code_of([] { static_cast<void>(open(memory{})); }) == "truncated");
}

TEST_CASE("unclaimed lists what nobody has read; a read that fails claims nothing") {
  const trainer state;
  archive a = open(saved(state));
  const auto left = [&] {
    const auto names = a.unclaimed();
    return std::set<std::string_view>(names.begin(), names.end());
  };
  std::set<std::string_view> all;
  for (const auto& t : a.tensors()) all.insert(t.name);
  CHECK(left() == all);
  CHECK(code_of([&] { static_cast<void>(a.read<int>("optimizer")); }) == "schema_mismatch");
  CHECK(code_of([&] { static_cast<void>(a.read<int>("layers.7")); }) == "not_found");
  CHECK(code_of([&] { static_cast<void>(a.slice<double>("weights", 0, 1)); }) == "schema_mismatch");
  CHECK(left() == all);
  CHECK(code_of([&] { a.require_all_claimed(); }, "layers.0.weight") == "schema_mismatch");
  for (const char* path : {"optimizer", "layers.1"}) {
    std::erase_if(all, [&](std::string_view name) { return name.starts_with(path); });
  }
  all.erase("layers#size");  // the way to layers.1 has used it
  static_cast<void>(a.read<optimizer_state>("optimizer"));
  static_cast<void>(a.read<layer>("layers.1"));
  CHECK(left() == all);
  static_cast<void>(a.slice<float>("weights", 0, 0));
  all.erase("weights");
  CHECK(left() == all);
  static_cast<void>(a.read<std::vector<double>>("history.loss"));
  std::erase_if(all, [](std::string_view name) { return name.starts_with("history"); });
  CHECK(left() == all);
  static_cast<void>(a.read<layer>("layers.0"));
  static_cast<void>(a.read<std::uint64_t>("step"));
  static_cast<void>(a.read<std::vector<sample>>("samples"));
  static_cast<void>(a.read<std::string>("choice#1"));
  CHECK(code_of([&] { a.require_all_claimed(); }, "flags") == "schema_mismatch");
  static_cast<void>(a.read<std::vector<bool>>("flags"));
  a.require_all_claimed();
}

TEST_CASE("damage in one part is refused there, whichever bit it is, and matters to no other part") {
  const trainer state;
  const auto whole = bytes_in(saved(state));
  const auto names = [&] {
    std::vector<std::string> all;
    const archive opened = open(memory(whole));
    for (const auto& t : opened.tensors()) all.emplace_back(t.name);
    return all;
  }();
  for (const std::string& name : names) {
    const auto [start, size] = place_of(whole, name);
    for (std::size_t bit = 0; bit < size * 8; ++bit) {
      auto bytes = whole;
      bytes[start + bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      archive a = open(memory(std::move(bytes)));
      CAPTURE(name);
      const auto expected = [&](std::string_view part) { return name.starts_with(part) ? "corrupt" : "none"; };
      optimizer_state target{{9}, {8}, 7, 6};
      const optimizer_state before = target;
      REQUIRE(code_of([&] { a.restore(target, "optimizer"); }) == expected("optimizer"));
      REQUIRE(target == (name.starts_with("optimizer") ? before : state.optimizer));
      layer one;
      one.bias = {1, 2, 3};
      const layer one_before = one;
      REQUIRE(code_of([&] { a.restore(one, "layers.1"); }) == expected("layers.1"));
      REQUIRE(one == (name.starts_with("layers.1") ? one_before : state.layers[1]));
      REQUIRE(code_of([&] { static_cast<void>(a.read<std::vector<sample>>("samples")); }) == expected("samples"));
      REQUIRE(code_of([&] { static_cast<void>(a.read<std::string>("choice#1")); }) == expected("choice"));
      REQUIRE(code_of([&] { static_cast<void>(a.read<std::vector<double>>("history.loss")); }) == expected("history.loss"));
      REQUIRE(code_of([&] { static_cast<void>(a.read<std::vector<bool>>("flags")); }) == expected("flags"));
      if (name.starts_with("optimizer")) REQUIRE(a.unclaimed().front() == "step");  // refused, so not read
    }
  }
}

TEST_CASE("damage to the header, the schema or the digests is refused when the archive is opened") {
  const auto whole = bytes_in(saved(trainer{}));
  const std::size_t data = place_of(whole, "step").first;
  const auto [digests, digest_bytes] = place_of(whole, detail::digests_name);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at >= data && at < digests) continue;
    for (int bit = 0; bit < 8; ++bit) {
      auto bytes = whole;
      bytes[at] ^= static_cast<std::byte>(1 << bit);
      CAPTURE(at);
      REQUIRE(code_of([&] { static_cast<void>(open(memory(std::move(bytes)))); }, "cannot open memory") != "none");
    }
  }
}

TEST_CASE("only the part that is asked for is read") {
  struct large {
    std::map<std::string, std::vector<float>> arrays;
    int step = 1;
  } state;
  for (int i = 0; i < 40; ++i) state.arrays["a." + std::to_string(i)].assign(1 << 18, static_cast<float>(i));
  const counting_source source(bytes_in(saved(state)));
  archive a = open(source);
  const std::uint64_t opening = source.bytes_read;
  CHECK(opening < 16 << 10);
  CHECK(a.read<std::vector<float>>("arrays.a.7") == state.arrays.at("a.7"));
  CHECK(source.bytes_read - opening == 1 << 20);
}

TEST_CASE("an archive goes on after a failure; a restore that fails in its second pass says so") {
  const trainer state;
  counting_source source(bytes_in(saved(state)));
  archive a = open(source);
  optimizer_state target;
  target.m = {9, 9, 9};
  source.fails_at = source.reads.load();
  CHECK(code_of([&] { a.restore(target, "optimizer"); }) == "io");
  CHECK(target.m == std::vector<float>{9, 9, 9});
  source.fails_at = -1;
  const int before = source.reads;
  a.restore(target, "optimizer");
  CHECK(target == state.optimizer);
  const int needed = source.reads - before;
  REQUIRE(needed >= 2);
  std::set<std::string> codes;
  for (int i = 0; i < needed; ++i) {
    archive again = open(source);
    source.fails_at = source.reads + i;
    codes.insert(code_of([&] { again.restore(target, "optimizer"); }));
    source.fails_at = -1;
    again.restore(target, "optimizer");
    CHECK(target == state.optimizer);
  }
  CHECK(codes == std::set<std::string>{"io", "partly_restored"});
}

TEST_CASE("progress of a part ends with all of it") {
  std::vector<progress> told;
  archive a = open(saved(trainer{}));
  std::vector<float> weights;
  a.restore(weights, "weights", {.progress = [&](const progress& p) { told.push_back(p); }});
  REQUIRE_FALSE(told.empty());
  CHECK(told.back().bytes_done == told.back().bytes_total);
  CHECK(told.back().bytes_total == 16);  // two floats, twice
}

TEST_CASE("a file of another writer opens: its tensors are listed and sliced, its parts have no type") {
  const std::string json = R"({"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})";
  std::string file(8, '\0');
  const std::uint64_t length = json.size();
  std::memcpy(file.data(), &length, 8);
  archive a = open(memory(detail::bytes_of(file + json + std::string("\0\0\x80\x3f\0\0\0\x40", 8))));
  CHECK_FALSE(a.has_digests());
  CHECK(a.stored_schema() == nullptr);
  CHECK(a.describe().find("F32 [2, 1]") != std::string::npos);
  CHECK(a.slice<float>("w", 1, 1) == std::vector<float>{2});
  CHECK(code_of([&] { static_cast<void>(a.read<std::vector<float>>("w")); }, "load_tensors") == "unsupported");
}
