// SPDX-License-Identifier: BSL-1.0
// A stranger's program: saves; its second object loads and compares.
#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

bool second_object_agrees(const char* path);

struct counters {
  std::uint64_t step = 0;
  std::vector<float> weights;
};

int main() {
  tidemark::save(counters{7, {1.0f, 2.0f, 3.0f}}, "consumer.safetensors");
  const bool same = second_object_agrees("consumer.safetensors");
  std::puts(same ? "same" : "different");
  return same ? 0 : 1;
}
