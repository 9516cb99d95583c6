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
  return tidemark::load<same_counters>(path).weights.size() == 3 && tidemark::version.major == 0;
}
