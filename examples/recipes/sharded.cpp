// SPDX-License-Identifier: BSL-1.0
// examples/recipes/sharded.cpp: a training whose checkpoints are folders, with a file for each parameter group.
//   sharded FOLDER [STEP]   trains to that step; after a kill start it again with the same words
#include <tidemark/tidemark.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What belongs to a parameter group lies together, so that one shard holds all of it: `groups.encoder.weight`, `groups.encoder.first`, ...
struct parameter_group { std::vector<float> weight, momentum; float rate = 0.01f; };
struct training {
  std::map<std::string, parameter_group> groups;     // model and optimizer
  float decay = 1;                                   // scheduler
  std::uint64_t step = 0;                            // counters
  std::vector<double> losses;
  std::mt19937_64 engine{2024};                      // chance
  std::normal_distribution<float> noise{0, 0.1f};
  tidemark::shuffled_sampler order{1009, 7};
};

training fresh() {
  training t;
  t.groups["encoder"] = {.weight = std::vector<float>(47), .momentum = std::vector<float>(47), .rate = 0.002f};
  t.groups["head"] = {.weight = std::vector<float>(16), .momentum = std::vector<float>(16), .rate = 0.02f};
  for (auto& [name, group] : t.groups)
    for (float& w : group.weight) w = t.noise(t.engine);
  return t;
}

// Your step goes here. This one fits sums of sines.
void train_step(training& t) {
  const auto which = static_cast<float>(t.order.next());
  float wrong = t.noise(t.engine) - std::cos(which);
  for (const auto& [name, group] : t.groups)
    for (std::size_t i = 0; i < group.weight.size(); ++i) wrong += group.weight[i] * std::sin(which * static_cast<float>(i + name.size()));
  t.decay *= 0.9995f;
  for (auto& [name, group] : t.groups) {
    for (std::size_t i = 0; i < group.weight.size(); ++i) {
      group.momentum[i] = 0.9f * group.momentum[i] + wrong * std::sin(which * static_cast<float>(i + name.size()));
      group.weight[i] -= t.decay * group.rate * group.momentum[i];
    }
  }
  ++t.step;
  t.losses.push_back(double{wrong} * double{wrong});
}

// The shard of a tensor, by its name: "encoder", "head", or "rest" for what is in no group.
std::string shard_of(std::string_view tensor) {
  if (!tensor.starts_with("groups.")) return "rest";
  return std::string(tensor.substr(7, tensor.find('.', 7) - 7));
}

int main(int count, char** words) try {
  if (count < 2) throw std::invalid_argument("sharded FOLDER [STEP]");
  const std::uint64_t last = count > 2 ? std::stoull(words[2]) : 2000;
  training state = fresh();
  tidemark::checkpointer run{words[1], {.every_steps = 50, .every = std::chrono::seconds(60), .keep_last = 3,
                                        .shards = tidemark::sharding{.assign = tidemark::by_group(shard_of)}}};
  if (const auto at = run.resume(state)) std::cout << "resumed at step " << at->step << std::endl;
  while (state.step < last) {
    train_step(state);
    if (state.step % 100 == 0) std::cout << "step " << state.step << " loss " << state.losses.back() << std::endl;
    if (run.tick(state, state.step).stop) break;
  }
  run.finish(state);
  std::cout << "state " << to_hex(tidemark::fingerprint(state)) << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
