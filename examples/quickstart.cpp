// SPDX-License-Identifier: BSL-1.0
// examples/quickstart.cpp: the program of README.md. Kill it whenever you like and start it again: it ends with the same numbers.
#include <tidemark/tidemark.hpp>

#include <filesystem>
#include <iostream>
#include <random>

struct training {  // a plain struct: nothing to register, no macro
  int step = 0;
  std::vector<float> weights = std::vector<float>(1000);
  std::mt19937_64 engine{42};
  std::normal_distribution<float> noise{0, 1e-3f};  // with the value that it keeps back between two draws
};

int main() {
  training run;
  if (std::filesystem::exists("run.safetensors")) tidemark::restore(run, "run.safetensors");
  std::cout << "from step " << run.step;
  while (run.step < 5000) {
    for (float& w : run.weights) w += run.noise(run.engine);                   // "training"
    if (++run.step % 100 == 0) tidemark::save(run, "run.safetensors");         // atomic, durable, with digests
  }
  std::cout << " to " << run.step << ", the last weight is " << run.weights.back() << '\n';
}
