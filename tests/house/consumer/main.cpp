// SPDX-License-Identifier: BSL-1.0
// A stranger's program: saves, verifies, loads, restores, compares.
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
  const counters before{7, {1.0f, 2.0f, 3.0f}};
  tidemark::save(before, "consumer.safetensors");
  tidemark::verify("consumer.safetensors");
  const auto after = tidemark::load<counters>("consumer.safetensors");
  counters again{0, {9.0f}};
  tidemark::restore(again, "consumer.safetensors");
  const bool same = after.step == before.step && after.weights == before.weights && again.step == before.step && again.weights == before.weights &&
                    second_object_agrees("consumer.safetensors");
  std::puts(same ? "same" : "different");
  return same ? 0 : 1;
}
