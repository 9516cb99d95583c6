// SPDX-License-Identifier: BSL-1.0
// examples/quickstart.cpp: the program of README.md. Kill it whenever you like and start it again: it ends with the same numbers.
#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <iostream>
#include <random>

struct training {  // a plain struct: nothing to register, no macro
  std::uint64_t step = 0;
  std::vector<float> weights = std::vector<float>(1000);
  std::mt19937_64 engine{42};
  std::normal_distribution<float> noise{0, 1e-3f};  // with the value that it keeps back between two draws
};

int main() {
  training state;
  tidemark::checkpointer run{"run", {.every_steps = 100, .keep_last = 3}};     // or .every = 60s; .background = staged; .shards; ...
  run.resume(state);                                                           // from the newest checkpoint that is whole, if there is one
  std::cout << "from step " << state.step;
  while (state.step < 5000) {
    for (float& w : state.weights) w += state.noise(state.engine);             // "training"
    ++state.step;
    if (run.tick(state, state.step).stop) break;                               // saves when it is time: atomic, durable, with digests
  }
  run.finish(state);                                                           // the last save
  std::cout << " to " << state.step << ", the last weight is " << state.weights.back() << '\n';
}
