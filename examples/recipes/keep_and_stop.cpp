// SPDX-License-Identifier: BSL-1.0
// examples/recipes/keep_and_stop.cpp: a training under a batch system: it keeps its best, and stops in time.
//   keep_and_stop FOLDER STEP SECONDS   trains to that step, or as long as it may; exit status 75: not done yet, start it again
#include <tidemark/tidemark.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

struct training {
  std::uint64_t step = 0;
  std::vector<float> weight = std::vector<float>(500);
  std::mt19937_64 engine{2024};
  std::normal_distribution<float> noise{0, 1e-3f};
};

// Your step goes here. This one goes straight past the best place, as a training does that is never told to stop.
void train_step(training& t) {
  for (float& w : t.weight) w += 0.002f * (2 - w) + t.noise(t.engine);
  ++t.step;
}

double validate(const training& t) {
  double loss = 0;
  for (const float w : t.weight) loss += std::pow(double{w} - 1, 2) / static_cast<double>(t.weight.size());
  return loss;
}

int main(int count, char** words) try {
  const auto start = std::chrono::steady_clock::now();
  if (count < 4) throw std::invalid_argument("keep_and_stop FOLDER STEP SECONDS");
  const std::uint64_t last = std::stoull(words[2]);
  constexpr std::uint64_t warm_up = 200;

  training state;
  tidemark::checkpointer run{words[1], {
      .every_steps = 100,
      .every = std::chrono::minutes(10),
      .keep_last = 2,
      .keep_best = {{.metric = "validation", .is = tidemark::best::lowest, .n = 1}},
      .background = tidemark::background::staged,             // a thread writes from a copy, while the training goes on
      .deadline = start + std::chrono::seconds(std::stoul(words[3])),  // the last save is done by then
      .catch_signals = true}};                                // SIGTERM, SIGUSR1, Ctrl-C: save, then stop; the second one ends at once
  if (const auto at = run.resume(state)) std::cout << "resumed at step " << at->step << std::endl;

  bool is_told_to_stop = false;
  while (state.step < last && !is_told_to_stop) {
    train_step(state);
    tidemark::metric_list metrics;
    if (state.step % 100 == 0) {
      metrics = {{"validation", validate(state)}};
      std::cout << "step " << state.step << " validation " << metrics[0].second << std::endl;
    }
    if (state.step == warm_up) {  // where other experiments will begin: kept, whatever comes
      run.save(state, state.step, metrics);
      run.pin(state.step);
    }
    is_told_to_stop = run.tick(state, state.step, metrics).stop;  // throws what went wrong in the background
  }
  run.finish(state);  // waits for the thread, and saves what was not saved yet
  std::cout << "stopped at step " << state.step << "\nstate " << to_hex(tidemark::fingerprint(state)) << '\n';
  return state.step < last ? 75 : 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
