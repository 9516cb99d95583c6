// SPDX-License-Identifier: BSL-1.0
// store/trainer.hpp: a state with a bit of everything, for the tests of whole archives.
#ifndef TIDEMARK_TESTS_STORE_TRAINER_HPP
#define TIDEMARK_TESTS_STORE_TRAINER_HPP

#include <tidemark/store.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

struct optimizer_state {
  std::vector<float> m{1, 2, 3}, v{4, 5, 6};
  std::uint64_t t = 7;
  float lr = 1e-3f;
  friend bool operator==(const optimizer_state&, const optimizer_state&) = default;
};
struct layer {
  std::vector<std::array<float, 2>> weight{{1, 2}};
  std::vector<float> bias{3};
  friend bool operator==(const layer&, const layer&) = default;
};
struct sample {
  std::uint32_t id = 1;
  std::string label = "cat";
  std::optional<double> score = 0.5;
  friend bool operator==(const sample&, const sample&) = default;
};
struct trainer {
  std::uint64_t step = 42;
  std::vector<float> weights{0.5f, -0.0f};
  optimizer_state optimizer;
  std::vector<layer> layers = std::vector<layer>(2);
  std::vector<sample> samples{{1, "cat", 0.5}, {2, "dog", {}}};
  std::map<std::string, std::vector<double>> history{{"loss", {3, 2, 1}}};
  std::variant<int, std::string> choice = std::string("x");
  std::vector<bool> flags{true, false};
  friend bool operator==(const trainer&, const trainer&) = default;
};

/// A folder of its own for one test case, removed with it.
struct folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tidemark-store-" + std::to_string(std::random_device{}()));
  folder() { std::filesystem::create_directory(path); }
  ~folder() { std::filesystem::remove_all(path); }
};

inline std::vector<std::byte> bytes_in(const tidemark::memory& m) { return {m.bytes().begin(), m.bytes().end()}; }

template <class T>
tidemark::memory saved(const T& state, const tidemark::save_options& options = {}) {
  tidemark::memory m;
  tidemark::save(state, m, options);
  return m;
}

#endif
