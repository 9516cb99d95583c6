// SPDX-License-Identifier: BSL-1.0
// The program's second object as CUDA: nvcc compiles the library, and a kernel beside it.
#include "second.cpp"

#include <map>
#include <optional>
#include <random>
#include <variant>

enum class phase : unsigned char { warm_up, steady };
template <>
inline constexpr tidemark::enumerators<phase> tidemark::enum_range<phase>{phase::warm_up, phase::steady};

/// Of every kind, so that each is compiled without a warning, also where an older version is converted.
struct every_kind {
  static constexpr std::uint32_t checkpoint_version = 2;
  unsigned count = 0;
  phase at{};
  const int width = 3;
  std::vector<std::vector<float>> layers;
  std::map<std::string, std::optional<double>> metrics;
  std::variant<std::monostate, std::int64_t, std::vector<bool>> either;
  std::mt19937_64 engine;
  std::normal_distribution<float> noise;
  tidemark::shuffled_sampler order;
};

void keep(every_kind& state) {
  tidemark::checkpointer run("run", {.every_steps = 5});
  static_cast<void>(run.resume(state));
  static_cast<void>(run.tick(state, 1));
  run.finish(state);
}

__global__ void fill(float* to) { to[threadIdx.x] = 1.0f; }
