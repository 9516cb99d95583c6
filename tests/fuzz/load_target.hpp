// SPDX-License-Identifier: BSL-1.0
// fuzz/load_target.hpp: a file that may be anything, loaded and restored as a state of every kind.
#ifndef TIDEMARK_TESTS_FUZZ_LOAD_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_LOAD_TARGET_HPP

#include "archive/samples.hpp"
#include "forge.hpp"
#include "outcome.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fuzz {

/// Every kind, alone and by column; no elements that take no bytes, whose number the file does not bound.
struct rich_state {
  std::uint64_t step = 3;
  std::vector<float> weights{1, 2};
  std::string name = "n";
  std::optional<std::optional<double>> best{1.5};
  std::variant<std::int32_t, std::string, samples::module_> choice = std::string("c");
  std::vector<samples::row> rows{{1, 2, "ab", 3.f, {}}, {2, 3, "", {}, {}}};
  std::vector<samples::module_> modules{{{1, 2}, {{1, 2}}, {}}};
  std::map<std::string, std::vector<float>> dict{{"a.b", {1}}, {"c", {}}};
  std::map<std::int32_t, std::string> names{{-1, "x"}, {2, "yz"}};
  std::map<std::string, samples::module_> parts{{"k", {}}};
  std::vector<std::map<std::int32_t, std::int32_t>> maps{{{1, 2}}, {{3, 4}, {5, 6}}};
  std::vector<bool> flags{true, false};
  std::vector<std::vector<std::int16_t>> ragged{{1}, {}, {2, 3}};
  std::vector<std::variant<std::int32_t, std::string>> choices{1, std::string("q")};
  std::vector<std::optional<std::string>> words{"w", std::nullopt};
  std::array<std::array<float, 2>, 2> matrix{};
  std::pair<samples::mode, std::chrono::milliseconds> odd{};
  samples::gauge level;
  std::vector<samples::gauge> levels = std::vector<samples::gauge>(1);
  long double wide = 1.5L;
  friend bool operator==(const rich_state&, const rich_state&) = default;
};

inline std::vector<bytes> load_seeds() {
  std::vector<bytes> seeds{saved_bytes(rich_state{}), saved_bytes(rich_state{}, {.metadata = {{"step", "5"}, {"note", "a\n\"b\"\x01"}}})};
  rich_state other;
  other.choice = samples::module_{{4}, {}, {}};
  other.best.emplace(std::nullopt);
  other.dict.clear();
  other.rows.clear();
  other.modules.resize(3);
  seeds.push_back(saved_bytes(other));
  other.best.reset();
  other.choice = 7;
  other.parts = {{"#%\n", {}}, {std::string("\0\xff", 2), {{1}, {}, {}}}};
  seeds.push_back(saved_bytes(other));
  return seeds;
}

/// The dearest byte of this state: the `#has` of an absent optional string in `words` is 1 byte in the file and 40 in memory,
/// held twice while a vector grows; map nodes are about as dear. Below it lies what a header costs.
inline constexpr std::int64_t load_bytes_per_byte = 256;

/// Restores into a copy of `before`, loads, and saves what came: all must agree. True where the input was accepted.
template <class T>
bool state_input(std::span<const std::byte> input, const T& before, std::int64_t bytes_per_byte) {
  const tidemark::memory source{input};
  T target = before;
  const auto limit = static_cast<std::int64_t>(input.size()) * bytes_per_byte + (1 << 20) + (64 << 10);  // 1 MiB: a thread's buffer
  const auto refusal = within(limit, [&] { return outcome([&] { tidemark::restore(target, source, {.threads = 1}); }); });
  T loaded{};
  const auto load_refusal = within(limit, [&] { return outcome([&] { loaded = tidemark::load<T>(source, {.threads = 1}); }); });
  require(refusal == load_refusal, "restore and load do not agree");
  if (refusal) {
    require(*refusal != tidemark::errc::partly_restored, "the file was verified, and then refused");
    require(target == before, "a refused restore changed its target");
    return false;
  }
  const bytes again = saved_bytes(target);
  require(again == saved_bytes(loaded), "restore and load give other states");
  auto theirs = taken_apart(input), ours = taken_apart(again);
  require(theirs && ours, "what was loaded has no header");
  require(by_name(*std::move(theirs)) == by_name(*std::move(ours)), "what was loaded is not what is in the file");
  return true;
}

inline bool load_input(std::span<const std::byte> input) {
  static const rich_state before = [] {
    rich_state s;
    s.step = 1;
    s.weights.assign(2, 9.f);
    s.modules.resize(2);
    s.dict["c"] = {4};
    s.names.clear();
    s.choice = 5;
    return s;
  }();
  return state_input(input, before, load_bytes_per_byte);
}

}  // namespace fuzz
#endif
