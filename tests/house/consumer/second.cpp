// SPDX-License-Identifier: BSL-1.0
// The program's second object, which includes the library again.
#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <vector>

bool second_object_agrees(const char* path);

namespace {
struct same_counters {
  std::uint64_t step = 0;
  std::vector<float> weights;
};
}  // namespace

bool second_object_agrees(const char* path) {
  const auto loaded = tidemark::load<same_counters>(path);
  return loaded.step == 7 && loaded.weights == std::vector{1.0f, 2.0f, 3.0f} && tidemark::version.major == 0;
}
