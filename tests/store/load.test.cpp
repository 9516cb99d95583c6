// SPDX-License-Identifier: BSL-1.0
// store/load.test.cpp: loads, restores and verifies; damage of any kind is refused and the target untouched.
#include <tidemark/store/load.hpp>
#include <tidemark/store/open.hpp>

#include <doctest/doctest.h>

#include "share.hpp"
#include "trainer.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

using namespace tidemark;
namespace fs = std::filesystem;

namespace explicit_versions {

class number {
  int value_;

 public:
  explicit number(int value = 1) : value_(value) {}
  int value() const { return value_; }
  static constexpr auto checkpoint_members = members(&number::value_);
};
struct part {
  number only;
};
struct older {
  static constexpr std::string_view checkpoint_name = "state";
  part one;
  std::vector<part> rows;
};
struct newer {
  static constexpr std::string_view checkpoint_name = "state";
  static constexpr std::uint32_t checkpoint_version = 2;
  std::vector<part> rows;
  part one;
  double added = 0.5;
};

}  // namespace explicit_versions

namespace {

/// What loading these bytes gives: the name of the error's code, "same" for the saved value, "other" for another value.
std::string outcome(const std::vector<std::byte>& bytes, const trainer& saved_state) {
  const memory m{bytes};
  const auto run = [&](auto f) -> std::string {
    try {
      return f() ? "same" : "other";
    } catch (const error& e) {
      return std::string(name_of(e.code()));
    }
  };
  const std::string loaded = run([&] { return load<trainer>(m) == saved_state; });
  trainer target;
  target.step = 1;
  target.optimizer.m.assign(3, 9.f);
  target.layers.resize(1);
  const trainer before = target;
  const std::string restored = run([&] {
    restore(target, m);
    return target == saved_state;
  });
  CHECK(loaded == restored);
  if (restored != "same") CHECK(target == before);  // a refused restore touches nothing
  return loaded;
}

std::string code_of(auto f) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    CHECK(std::string(e.what()).starts_with("tidemark: cannot "));
    return std::string(name_of(e.code()));
  }
}

/// A source whose bytes change after a number of reads: a file that somebody overwrites.
class changing_source {
 public:
  changing_source(std::vector<std::byte> bytes, int reads) : bytes_(std::move(bytes)), left_(reads) {}
  std::uint64_t size() const { return bytes_.size(); }
  std::string name() const { return "changing"; }
  int reads() const { return reads_; }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    ++reads_;
    if (left_-- == 0) throw error({.code = errc::io, .problem = "the disk failed"});
    std::memcpy(into.data(), bytes_.data() + offset, into.size());
  }

 private:
  std::vector<std::byte> bytes_;
  mutable std::atomic<int> left_, reads_{0};
};

}  // namespace

TEST_CASE("every single bit flip of a whole file is an error, and the target stays untouched") {
  const trainer state;
  auto bytes = bytes_in(saved(state));
  REQUIRE(outcome(bytes, state) == "same");
  std::size_t silent = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += scratch::share()) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const std::string is = outcome(bytes, state);
    CAPTURE(bit);
    REQUIRE(is != "other");
    silent += is == "same";
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
  CHECK(silent == 0);  // there is no bit that no digest needs
}

TEST_CASE("every truncation and every extension of a file is an error") {
  const trainer state;
  const auto bytes = bytes_in(saved(state));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string is = outcome({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, state);
    REQUIRE((is == "truncated" || is == "corrupt"));
  }
  for (const std::size_t more : {1u, 7u, 8u, 64u, 4096u}) {
    for (const int fill : {0, 0x20, 0xff}) {
      auto longer = bytes;
      longer.resize(bytes.size() + more, static_cast<std::byte>(fill));
      REQUIRE(outcome(longer, state) == "corrupt");
    }
  }
}

TEST_CASE("every swap of two 8-byte words of a file is an error, or reads as the same value") {
  struct small {
    std::uint64_t step = 5;
    std::vector<float> w{1, 2, 3, 4};
  };
  auto bytes = bytes_in(saved(small{}));
  const std::size_t words = bytes.size() / 8;
  const auto header_bytes = detail::load_as<std::uint64_t>(bytes.data());
  const auto word = [&](std::size_t i) { return bytes.data() + i * 8; };
  for (std::size_t a = 0; a < words; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (std::memcmp(word(a), word(b), 8) == 0) continue;
      std::swap_ranges(word(a), word(a) + 8, word(b));
      try {  // white space of the header may change places with other white space: that is the same file to any reader
        const auto back = load<small>(memory{bytes});
        REQUIRE(back.step == 5);
        REQUIRE(back.w == small{}.w);
        REQUIRE(a * 8 < 8 + header_bytes);
      } catch (const error&) {
      }
      std::swap_ranges(word(a), word(a) + 8, word(b));
    }
  }
}

TEST_CASE("damage names the tensor and the block") {
  std::vector<std::uint8_t> large(40 << 20);
  struct state {
    std::vector<std::uint8_t> big;
  } s{large};
  auto bytes = bytes_in(saved(s));
  const auto header = detail::read_header(bytes.size(), [&](std::uint64_t o, std::span<std::byte> into) { std::memcpy(into.data(), bytes.data() + o, into.size()); });
  bytes[static_cast<std::size_t>(header.data_start) + (17 << 20)] ^= std::byte{1};
  try {
    static_cast<void>(load<state>(memory{bytes}));
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.tensor() == "big");
    CHECK(std::string(e.what()).find("block 2 of 3 (bytes 16777216..33554431)") != std::string::npos);
  }
}

TEST_CASE("a schema that differs is an error that lists every path, and nothing is touched") {
  struct other_optimizer {
    std::vector<double> m;
    float rate = 0;
  };
  struct other {
    std::uint64_t step = 1;
    std::vector<float> weights;
    other_optimizer optimizer;
  };
  const auto m = saved(trainer{});
  other target;
  try {
    restore(target, m);
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::schema_mismatch);
    const std::string text = e.what();
    for (const char* line : {"different             optimizer.m", "missing in the file   optimizer.rate", "only in the file      optimizer.v", "only in the file      optimizer.t",
                             "only in the file      optimizer.lr", "only in the file      layers", "only in the file      choice"}) {
      CAPTURE(line);
      CHECK(text.find(line) != std::string::npos);
    }
    CHECK(text.find("weights") == std::string::npos);
  }
  CHECK(target.step == 1);
}

TEST_CASE("the order of members is no difference") {
  struct forward {
    std::uint64_t a = 1;
    std::vector<float> b{2, 3};
    std::string c = "x";
  };
  struct backward {
    std::string c;
    std::vector<float> b;
    std::uint64_t a = 0;
  };
  const auto back = load<backward>(saved(forward{}));
  CHECK(back.a == 1);
  CHECK(back.b == std::vector<float>{2, 3});
  CHECK(back.c == "x");
  CHECK(digest_of(schema_of<forward>()) == digest_of(schema_of<backward>()));
}

TEST_CASE("what is no archive is told from what is none of ours and from what is damaged") {
  const folder dir;
  const auto write = [&](const char* name, const std::string& content) {
    std::ofstream(dir.path / name, std::ios::binary) << content;
    return dir.path / name;
  };
  const auto code = [&](const fs::path& path) { return code_of([&] { static_cast<void>(load<trainer>(path)); }); };
  CHECK(code(dir.path / "none") == "not_found");
  CHECK(code(dir.path) == "unsafe_path");
  CHECK(code(write("empty", "")) == "truncated");
  CHECK(code(write("zip", "PK\3\4 this is another format altogether")) == "corrupt");
  CHECK(code(write("foreign", std::string("\x40\0\0\0\0\0\0\0", 8) + R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}           x)")) == "unsupported");
  CHECK(code_of([&] { verify(dir.path / "foreign"); }) == "none");
  CHECK_FALSE(verify(dir.path / "foreign").has_digests);
}

TEST_CASE("a file of a newer format is refused as such") {
  auto bytes = bytes_in(saved(trainer{}));
  const std::string key = "\"tidemark\":\"1 ";
  const auto at = std::search(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(key.data()), reinterpret_cast<const std::byte*>(key.data()) + key.size());
  REQUIRE(at != bytes.end());
  *(at + static_cast<std::ptrdiff_t>(key.size()) - 2) = std::byte{'2'};
  CHECK(code_of([&] { static_cast<void>(load<trainer>(memory{bytes})); }) == "newer_version");
  CHECK(code_of([&] { verify(memory{bytes}); }) == "newer_version");
}

TEST_CASE("restore keeps addresses and fills any target") {
  trainer stored;
  stored.weights.assign(1000, 3.f);
  const auto m = saved(stored);
  trainer target;
  target.weights.assign(1000, 0.f);
  const float* address = target.weights.data();
  const auto report = restore(target, m);
  CHECK(target == stored);
  CHECK(target.weights.data() == address);
  CHECK(report.has_digests);
  CHECK(report.bytes == m.size());
  CHECK(report.tensors == plan(stored).tensors.size());
}

namespace {

struct sizes {
  const int width = 8;
  std::vector<float> rows;
  bool operator==(const sizes&) const = default;
};
struct sized {
  std::vector<float> first;
  sizes inner{};
  std::uint64_t step = 0;
  bool operator==(const sized&) const = default;
};

}  // namespace

TEST_CASE("a state is made as T(), which a member that is made explicitly allows, and T{} does not") {
  explicit_versions::older before;
  before.one.only = explicit_versions::number(5);
  before.rows.resize(2);
  before.rows[0] = before.one;
  memory file;
  save(before, file);
  CHECK(load<explicit_versions::older>(file).rows[0].only.value() == 5);
  explicit_versions::older restored;
  restore(restored, file);
  CHECK(restored.one.only.value() == 5);
  CHECK(open(file).read<explicit_versions::part>("one").only.value() == 5);
  CHECK(load<explicit_versions::newer>(file).one.only.value() == 5);
  explicit_versions::newer now;
  restore(now, file);
  CHECK(now.rows[0].only.value() == 5);
  CHECK(now.rows[1].only.value() == 1);
}

TEST_CASE("const members are compared: where they differ, a load and a restore are refused, and nothing is touched") {
  const auto same = saved(sized{{1}, {8, {2}}, 3}), other = saved(sized{{1}, {9, {2}}, 3});
  CHECK(load<sized>(same) == sized{{1}, {8, {2}}, 3});
  CHECK(code_of([&] { static_cast<void>(load<sized>(other)); }) == "schema_mismatch");
  sized target{{5, 5}, {9, {}}, 0};
  CHECK(code_of([&] { restore(target, same); }) == "schema_mismatch");
  CHECK(target == sized{{5, 5}, {9, {}}, 0});
  restore(target, other);
  CHECK(target == sized{{1}, {9, {2}}, 3});
}

TEST_CASE("reading that fails at any moment is an error; only after the file was verified may the target have changed") {
  trainer stored;
  stored.weights.assign(200'000, 2.f);
  const auto bytes = bytes_in(saved(stored));
  changing_source whole(bytes, -1);
  trainer target;
  restore(target, whole);
  const int reads = whole.reads();
  REQUIRE(reads > 6);
  bool is_partly = false;
  for (int n = 0; n < reads; ++n) {
    trainer t;
    t.step = 1;
    const trainer before = t;
    const std::string code = code_of([&] { restore(t, changing_source(bytes, n)); });
    REQUIRE((code == "io" || code == "partly_restored"));
    if (code == "io") {
      CHECK(t == before);
      CHECK_FALSE(is_partly);
    }
    is_partly = is_partly || code == "partly_restored";
  }
  CHECK(is_partly);
  changing_source once(bytes, -1);
  static_cast<void>(load<trainer>(once));
  for (int n = 0; n < once.reads(); ++n) {
    CHECK(code_of([&] { static_cast<void>(load<trainer>(changing_source(bytes, n))); }) == "io");
  }
}

TEST_CASE("values keep their bits: NaN payloads, signed zeros, denormals, empty and 0-d") {
  struct edges {
    std::vector<std::uint32_t> float_bits;
    std::vector<float> floats;
    std::vector<double> doubles;
    float scalar = 0;
    std::vector<float> empty;
    std::array<float, 0> none{};
    std::vector<std::array<double, 0>> hollow;
  } e;
  std::mt19937 random{3};
  for (int i = 0; i < 5000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random() | (i % 2 ? 0x7f800000u : 0u)) & (i % 3 ? UINT32_MAX : 0x807fffffu);
    float f;
    std::memcpy(&f, &bits, 4);
    e.floats.push_back(f);
    e.doubles.push_back(static_cast<double>(f));
  }
  e.doubles = {-0.0, std::numeric_limits<double>::denorm_min(), -std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()};
  const std::uint32_t signalling = 0x7fa00001;
  std::memcpy(&e.scalar, &signalling, 4);
  e.hollow.resize(3);
  const auto back = load<edges>(saved(e));
  CHECK(std::memcmp(back.floats.data(), e.floats.data(), e.floats.size() * 4) == 0);
  CHECK(std::memcmp(back.doubles.data(), e.doubles.data(), e.doubles.size() * 8) == 0);
  CHECK(std::memcmp(&back.scalar, &signalling, 4) == 0);
  CHECK(back.empty.empty());
  CHECK(back.hollow.size() == 3);
}

TEST_CASE("any number of threads gives the same state, from memory and from files") {
  trainer stored;
  stored.weights.assign(5'000'000, 1.25f);
  stored.layers.resize(300);
  for (auto& l : stored.layers) l.bias.assign(700, 2.f);
  const folder dir;
  save(stored, dir.path / "a");
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    CHECK(load<trainer>(dir.path / "a", {.threads = threads}) == stored);
    trainer target;
    target.weights.assign(5'000'000, 0.f);
    restore(target, dir.path / "a", {.threads = threads});
    CHECK(target == stored);
    CHECK(verify(dir.path / "a", {.threads = threads}).blocks == verify(saved(stored)).blocks);
  }
}

TEST_CASE("an exception from the progress callback ends a load, in whichever thread it is thrown") {
  const auto m = saved(std::vector<float>(8'000'000, 1.f));
  for (const unsigned threads : {1u, 4u}) {
    int calls = 0;
    CHECK_THROWS_AS(static_cast<void>(load<std::vector<float>>(m, {.threads = threads, .progress = [&](const progress&) {
      if (++calls == 5) throw std::runtime_error("enough");
    }})), std::runtime_error);
  }
}

TEST_CASE("a callback that throws at the very end of a restore is told as what it is: the state has changed") {
  const auto m = saved(trainer{});
  trainer target;
  target.step = 1;
  CHECK(code_of([&] { restore(target, m, {.progress = [](const progress& p) { if (p.bytes_done == p.bytes_total) throw std::runtime_error("stop"); }}); }) == "partly_restored");
}

TEST_CASE("a hostile header cannot make a load take memory that the file does not justify") {
  // A schema that fits and a vector of 2^40 floats that has no bytes: the sizes are checked against the file first.
  const auto m = bytes_in(saved(std::vector<float>(4, 1.f)));
  std::string text(reinterpret_cast<const char*>(m.data()), m.size());
  const auto at = text.find("\"shape\":[4]");
  REQUIRE(at != std::string::npos);
  text.replace(at, 11, "\"shape\":[9]");
  std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(text.data()), reinterpret_cast<const std::byte*>(text.data()) + text.size());
  CHECK_THROWS_AS(static_cast<void>(load<std::vector<float>>(memory{bytes})), error);
}
