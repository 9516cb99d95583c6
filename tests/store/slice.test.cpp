// SPDX-License-Identifier: BSL-1.0
// store/slice.test.cpp: rows of a tensor over every border of blocks and pieces; damage counts in the blocks that are touched.
#include <tidemark/store/slice.hpp>

#include <doctest/doctest.h>

#include <tidemark/store/open.hpp>

#include <cstring>
#include <numeric>
#include <set>

#include "trainer.hpp"

using namespace tidemark;

namespace {

constexpr std::uint64_t block = detail::block_bytes;

std::string code_of(auto f) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    CHECK(std::string(e.what()).starts_with("tidemark: cannot read "));
    return std::string(name_of(e.code()));
  }
}

/// Not in memory as far as the library can see, and counts.
struct plain_source {
  std::vector<std::byte> content;
  mutable std::uint64_t bytes_read = 0;
  mutable int reads_left = -1;
  std::uint64_t size() const { return content.size(); }
  std::string name() const { return "plain"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (reads_left == 0) throw error({.code = errc::io, .problem = "the disk failed"});
    if (reads_left > 0) --reads_left;
    bytes_read += into.size();
    std::memcpy(into.data(), content.data() + offset, into.size());
  }
};

struct wide {
  std::vector<std::array<std::uint32_t, 3>> numbers;  // 12 bytes a row: rows cross the borders of blocks
};

const wide& state_of_40_mib() {
  static const wide state = [] {
    wide made;
    made.numbers.resize((40u << 20) / 12);
    for (std::size_t i = 0; i < made.numbers.size(); ++i) made.numbers[i] = {static_cast<std::uint32_t>(3 * i), static_cast<std::uint32_t>(3 * i + 1), static_cast<std::uint32_t>(3 * i + 2)};
    return made;
  }();
  return state;
}

const std::vector<std::byte>& file_of_40_mib() {
  static const std::vector<std::byte> file = bytes_in(saved(state_of_40_mib()));
  return file;
}

bool is_right(std::span<const std::uint32_t> got, std::uint64_t first, std::uint64_t count) {
  if (got.size() != count * 3) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != first * 3 + i) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("slices at and around every border of blocks and pieces are the rows that lie there") {
  const std::uint64_t rows = state_of_40_mib().numbers.size();
  std::set<std::uint64_t> borders{0, 1, rows - 1, rows};
  for (const std::uint64_t at : {block, 2 * block, std::uint64_t{256} << 10, block + (std::uint64_t{256} << 10)}) {
    for (const std::uint64_t near : {at / 12 - 1, at / 12, at / 12 + 1}) borders.insert(near);
  }
  const plain_source source{file_of_40_mib()};
  archive in_file = open(source);
  archive in_memory = open(memory(std::span<const std::byte>(file_of_40_mib())));
  std::vector<std::uint32_t> into(3 * rows);
  for (const std::uint64_t first : borders) {
    for (const std::uint64_t last : borders) {
      if (last < first || (last - first > 2 && (first > 1 && last < rows - 1))) continue;
      CAPTURE(first);
      CAPTURE(last);
      REQUIRE(is_right(in_memory.slice<std::uint32_t>("numbers", first, last - first), first, last - first));
      if (last - first > 2 && first > 1) continue;
      const std::span<std::uint32_t> target(into.data(), static_cast<std::size_t>(3 * (last - first)));
      std::fill(target.begin(), target.end(), 0xffffffffu);
      in_file.read_slice(target, "numbers", first);
      REQUIRE(is_right(target, first, last - first));
    }
  }
}

TEST_CASE("a slice reads the blocks that it touches, and no other") {
  const plain_source source{file_of_40_mib()};
  archive a = open(source);
  const auto read_by = [&](std::uint64_t first, std::uint64_t count) {
    const std::uint64_t before = source.bytes_read;
    static_cast<void>(a.slice<std::uint32_t>("numbers", first, count));
    return source.bytes_read - before;
  };
  const std::uint64_t rows = state_of_40_mib().numbers.size();
  CHECK(read_by(5, 0) == 0);
  CHECK(read_by(0, 1) == block);
  CHECK(read_by(block / 12, 1) == 2 * block);  // the row lies across the border
  CHECK(read_by(block / 12 + 1, 1) == block);
  CHECK(read_by(rows - 1, 1) == rows * 12 - 2 * block);
  CHECK(read_by(0, rows) == rows * 12);
}

TEST_CASE("damage anywhere in a touched block is refused and leaves the memory alone; in another block it does not matter") {
  const std::uint64_t rows = state_of_40_mib().numbers.size();
  const std::uint64_t start = file_of_40_mib().size() - rows * 12 - 16 * 5;  // behind it: two digests, and one for each of 3 blocks
  struct damage {
    std::uint64_t at;  // in the tensor
    int block;
  };
  for (const damage d : {damage{0, 0}, damage{block - 1, 0}, damage{block, 1}, damage{2 * block - 1, 1}, damage{2 * block, 2}, damage{rows * 12 - 1, 2}}) {
    auto bytes = file_of_40_mib();
    bytes[static_cast<std::size_t>(start + d.at)] ^= std::byte{64};
    const plain_source source{bytes};
    archive in_file = open(source);
    archive in_memory = open(memory(std::move(bytes)));
    for (archive* a : {&in_file, &in_memory}) {
      for (int touched = 0; touched < 3; ++touched) {
        const std::uint64_t first = (static_cast<std::uint64_t>(touched) * block + block / 4) / 12;
        std::array<std::uint32_t, 6> into{1, 2, 3, 4, 5, 6};
        const auto before = into;
        CAPTURE(d.at);
        CAPTURE(touched);
        REQUIRE(code_of([&] { a->read_slice(std::span<std::uint32_t>(into), "numbers", first); }) == (touched == d.block ? "corrupt" : "none"));
        REQUIRE((touched == d.block ? into == before : is_right(into, first, 2)));
        REQUIRE(code_of([&] { static_cast<void>(a->slice<std::uint32_t>("numbers", first, 2)); }) == (touched == d.block ? "corrupt" : "none"));
      }
    }
  }
}

TEST_CASE("slices beyond the end, of another type, or into half a row are refused before anything is read") {
  const plain_source source{bytes_in(saved(trainer{}))};
  archive a = open(source);
  const std::uint64_t opened = source.bytes_read;
  CHECK(code_of([&] { static_cast<void>(a.slice<float>("weights", 0, 3)); }) == "limit");
  CHECK(code_of([&] { static_cast<void>(a.slice<float>("weights", 3, 0)); }) == "limit");
  CHECK(code_of([&] { static_cast<void>(a.slice<float>("weights", 1, UINT64_MAX)); }) == "limit");
  CHECK(code_of([&] { static_cast<void>(a.slice<float>("weights", UINT64_MAX, 1)); }) == "limit");
  CHECK(code_of([&] { static_cast<void>(a.slice<double>("weights", 0, 1)); }) == "schema_mismatch");
  CHECK(code_of([&] { static_cast<void>(a.slice<std::int32_t>("weights", 0, 1)); }) == "schema_mismatch");
  CHECK(code_of([&] { static_cast<void>(a.slice<float>("weight", 0, 1)); }) == "not_found");
  CHECK(code_of([&] { static_cast<void>(a.slice<std::uint8_t>("tidemark#digests", 0, 1)); }) == "not_found");
  std::array<float, 1> half{5};
  CHECK(code_of([&] { a.read_slice(std::span<float>(half), "layers.0.weight", 0); }) == "unsupported");
  CHECK(half[0] == 5);
  CHECK(source.bytes_read == opened);
}

TEST_CASE("slices of scalars, of columns, of bools and of empty arrays") {
  struct odd {
    std::vector<bool> flags{true, false, true};
    std::vector<std::array<float, 0>> none{{}, {}};
    std::vector<double> empty;
    std::vector<sample> samples{{1, "a", {}}, {2, "b", {}}, {3, "c", {}}};
    std::uint16_t number = 7;
  };
  const auto bytes = bytes_in(saved(odd{}));
  archive a = open(memory(bytes));
  CHECK(a.slice<bool>("flags", 1, 2) == std::vector<bool>{false, true});
  std::array<bool, 2> into{};
  a.read_slice(std::span<bool>(into), "flags", 1);
  CHECK(into == std::array<bool, 2>{false, true});
  CHECK(a.slice<float>("none", 1, 1).empty());
  CHECK(a.slice<double>("empty", 0, 0).empty());
  CHECK(a.slice<std::uint32_t>("samples.id", 1, 2) == std::vector<std::uint32_t>{2, 3});
  CHECK(a.slice<std::uint16_t>("number", 0, 1) == std::vector<std::uint16_t>{7});
  CHECK(code_of([&] { static_cast<void>(a.slice<std::uint16_t>("number", 1, 1)); }) == "limit");
}

TEST_CASE("a bool of 2 is no value, in files without digests too") {
  const std::string json = R"({"b":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
  std::string file(8, '\0');
  const std::uint64_t length = json.size();
  std::memcpy(file.data(), &length, 8);
  archive a = open(memory(detail::bytes_of(file + json + std::string("\1\0\2", 3))));
  std::array<bool, 2> into{true, true};
  CHECK(code_of([&] { a.read_slice(std::span<bool>(into), "b", 1); }) == "invalid_value");
  CHECK(into == std::array<bool, 2>{true, true});
  CHECK(code_of([&] { static_cast<void>(a.slice<bool>("b", 0, 3)); }) == "invalid_value");
  CHECK(a.slice<bool>("b", 0, 2) == std::vector<bool>{true, false});
}

TEST_CASE("a source that fails between the two passes of a slice is reported as such") {
  plain_source source{file_of_40_mib()};
  archive a = open(source);
  std::array<std::uint32_t, 3> into{};
  source.reads_left = 70;  // 64 pieces a pass
  CHECK(code_of([&] { a.read_slice(std::span<std::uint32_t>(into), "numbers", 0); }) == "partly_restored");
  source.reads_left = 60;
  CHECK(code_of([&] { a.read_slice(std::span<std::uint32_t>(into), "numbers", 0); }) == "io");
}
