// SPDX-License-Identifier: BSL-1.0
// examples/recipes/single_file.cpp: a training that goes on where it was killed, one file a checkpoint. Begin with this one.
//   single_file FOLDER [STEP]   trains to that step; after a kill start it again with the same words
#include <tidemark/tidemark.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// All that the training needs to go on, in five buckets. Nothing is registered: each member is saved under its name.
struct network { std::vector<float> weight = std::vector<float>(33); };
struct adam { std::vector<float> first = std::vector<float>(33), second = std::vector<float>(33); std::uint64_t updates = 0; };
struct warmup { float peak = 0.02f; std::uint64_t steps = 100, now = 0; };
struct counters { std::uint64_t step = 0; double best_loss = 1e30; std::vector<double> losses; };
struct chance {
  std::mt19937_64 engine{2024};
  std::normal_distribution<float> noise{0, 0.1f};  // saved with the number that it keeps back between two draws
  tidemark::shuffled_sampler order{1009, 7};       // which sample comes next, in an order new in every epoch
};
struct training { network model; adam optimizer; warmup scheduler; counters count; chance random; };

// Your step goes here. This one fits a line to noisy samples of sines.
void train_step(training& t) {
  std::vector<float> gradient(t.optimizer.first.size());
  double loss = 0;
  for (int sample = 0; sample < 16; ++sample) {
    const auto which = static_cast<float>(t.random.order.next());
    std::vector<float> x(t.model.weight.size());
    float target = 0, output = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::sin(which * static_cast<float>(i + 1));
      target += x[i] * static_cast<float>(i % 3);
      x[i] += t.random.noise(t.random.engine);
      output += x[i] * t.model.weight[i];
    }
    const float wrong = output - target;
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] += wrong * x[i] / 16;
    loss += double{wrong} * double{wrong} / 16;
  }
  const float rate = t.scheduler.peak * std::min(1.0f, static_cast<float>(++t.scheduler.now) / static_cast<float>(t.scheduler.steps));
  const auto n = static_cast<float>(++t.optimizer.updates);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const float m = t.optimizer.first[i] += 0.1f * (gradient[i] - t.optimizer.first[i]);
    const float v = t.optimizer.second[i] += 0.01f * (gradient[i] * gradient[i] - t.optimizer.second[i]);
    t.model.weight[i] -= rate * m / (1 - std::pow(0.9f, n)) / (std::sqrt(v / (1 - std::pow(0.99f, n))) + 1e-8f);
  }
  ++t.count.step;
  t.count.best_loss = std::min(t.count.best_loss, loss);
  t.count.losses.push_back(loss);
}

int main(int count, char** words) try {
  if (count < 2) throw std::invalid_argument("single_file FOLDER [STEP]");
  const std::uint64_t last = count > 2 ? std::stoull(words[2]) : 2000;
  training state;
  for (float& weight : state.model.weight) weight = state.random.noise(state.random.engine);
  tidemark::checkpointer run{words[1], {.every_steps = 50, .every = std::chrono::seconds(60), .keep_last = 3}};  // whichever comes first
  if (const auto at = run.resume(state)) std::cout << "resumed at step " << at->step << std::endl;
  while (state.count.step < last) {
    train_step(state);
    if (state.count.step % 100 == 0) std::cout << "step " << state.count.step << " loss " << state.count.losses.back() << std::endl;
    if (run.tick(state, state.count.step).stop) break;
  }
  run.finish(state);  // the last save; what it throws is the last that could go wrong
  std::cout << "state " << to_hex(tidemark::fingerprint(state)) << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
