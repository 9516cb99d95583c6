// SPDX-License-Identifier: BSL-1.0
// fuzz/random_target.hpp: a file that may be anything, loaded as random engines, distributions and readers, which must then be fit for use.
#ifndef TIDEMARK_TESTS_FUZZ_RANDOM_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_RANDOM_TARGET_HPP

#include "forge.hpp"
#include "load_target.hpp"
#include "outcome.hpp"

#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace fuzz {

struct random_state {
  std::minstd_rand linear{5};
  std::minstd_rand0 older{6};
  std::mt19937 narrow{7};
  std::normal_distribution<double> normal{1, 2};
  std::normal_distribution<float> normals;
  std::bernoulli_distribution coin{0.25};
  std::uniform_int_distribution<int> dice{1, 6};
  std::uniform_real_distribution<float> real{-1, 1};
  std::vector<std::minstd_rand> streams{std::minstd_rand{1}};
  tidemark::shuffled_sampler order{10, 3};
  friend bool operator==(const random_state&, const random_state&) = default;

  /// Uses everything once; under the sanitizers and a checked library a value that should have been refused ends the program here.
  void draw() {
    static_cast<void>(normal(narrow) + static_cast<double>(normals(linear)) + dice(older) + static_cast<double>(real(linear)) + coin(narrow));
    for (auto& s : streams) s();
    if (order.size() != 0) static_cast<void>(order.next());
  }
};

inline std::vector<bytes> random_seeds() {
  random_state s;
  std::vector<bytes> seeds{saved_bytes(s)};
  s.draw();
  s.streams.clear();
  s.narrow.discard(1000);
  seeds.push_back(saved_bytes(s));
  return seeds;
}

inline bool random_input(std::span<const std::byte> input) {
  static const random_state before;
  if (!state_input(input, before, 64)) return false;
  auto used = tidemark::load<random_state>(tidemark::memory{input}, {.threads = 1});
  used.draw();
  return true;
}

}  // namespace fuzz
#endif
