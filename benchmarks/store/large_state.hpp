// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/large_state.hpp: sixteen arrays, a state whose cost is its bytes.
#ifndef TIDEMARK_BENCHMARKS_STORE_LARGE_STATE_HPP
#define TIDEMARK_BENCHMARKS_STORE_LARGE_STATE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

struct large_state {
  std::vector<float> a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

inline std::array<std::vector<float>*, 16> arrays_of(large_state& s) {
  return {&s.a, &s.b, &s.c, &s.d, &s.e, &s.f, &s.g, &s.h, &s.i, &s.j, &s.k, &s.l, &s.m, &s.n, &s.o, &s.p};
}

inline large_state make_large_state(std::uint64_t bytes) {
  large_state state;
  float first = 0;
  for (std::vector<float>* array : arrays_of(state)) {
    array->resize(static_cast<std::size_t>(bytes / 16 / sizeof(float)));
    float value = first++;
    for (float& x : *array) x = value += 0.25f;
  }
  return state;
}

}  // namespace bench
#endif
