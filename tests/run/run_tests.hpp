// SPDX-License-Identifier: BSL-1.0
// tests/run/run_tests.hpp: a state, a folder that can be looked into, and a compression for the tests of runs.
#ifndef TIDEMARK_TESTS_RUN_RUN_TESTS_HPP
#define TIDEMARK_TESTS_RUN_RUN_TESTS_HPP

#include <tidemark/run.hpp>

#include <doctest/doctest.h>
#include <sink/child.hpp>
#include <sink/scratch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

struct counters {
  std::uint64_t step = 0;
  std::vector<float> weights = std::vector<float>(100);
  friend bool operator==(const counters&, const counters&) = default;
};

inline counters at_step(std::uint64_t step) {
  counters state{.step = step};
  for (std::size_t i = 0; i < state.weights.size(); ++i) state.weights[i] = static_cast<float>(step * 1000 + i);
  return state;
}

/// The steps of the checkpoints that lie in a folder, in the order of their saving.
inline std::vector<std::uint64_t> steps_in(const std::string& folder) {
  std::vector<tidemark::checkpoint_name> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const auto parsed = tidemark::detail::parse_checkpoint_name(name);
    if (parsed && parsed->suffix != ".bak") names.push_back(parsed->name);
  }
  std::sort(names.begin(), names.end());
  std::vector<std::uint64_t> steps;
  for (const auto& name : names) steps.push_back(name.step);
  return steps;
}

inline std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

inline std::string path_of(const std::string& folder, std::uint64_t step) {
  std::string found;
  for (const auto& name : names_in(folder)) {
    if (name.starts_with("step-" + std::to_string(step) + "-")) found = folder + "/" + name;
  }
  return found;
}

using step_list = std::vector<std::uint64_t>;

/// Flips a byte in the middle of what a file holds, or `from_end` bytes before its end.
inline void damage(const std::string& path, std::size_t from_end = 0) {
  std::string bytes = scratch::content(path);
  const std::size_t at = from_end == 0 ? bytes.size() / 2 : bytes.size() - from_end;
  bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
  scratch::put(path, bytes);
}

// A compression that only changes every byte.
struct xor_sink {
  std::shared_ptr<tidemark::any_sink> inner;
  struct writer {
    tidemark::any_sink_writer to;
    void write(std::span<const std::byte> bytes) {
      std::vector<std::byte> changed(bytes.begin(), bytes.end());
      for (auto& b : changed) b ^= std::byte{0x5a};
      to.write(changed);
    }
    tidemark::durability commit() { return to.commit(); }
  };
  writer open(std::uint64_t total_bytes) const { return {inner->open(total_bytes)}; }
  std::string name() const { return inner->name(); }
};
struct xor_source {
  tidemark::any_source inner;
  std::uint64_t size() const { return inner.size(); }
  std::string name() const { return inner.name(); }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    inner.read(offset, into);
    for (auto& b : into) b ^= std::byte{0x5a};
  }
};
inline tidemark::compression xor_compression() {
  return {.suffix = ".xor",
          .wrap = [](tidemark::any_sink to) { return tidemark::any_sink(xor_sink{std::make_shared<tidemark::any_sink>(std::move(to))}); },
          .unwrap = [](tidemark::any_source from) { return tidemark::any_source(xor_source{std::move(from)}); }};
}

#endif
