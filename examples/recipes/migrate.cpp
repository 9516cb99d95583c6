// SPDX-License-Identifier: BSL-1.0
// examples/recipes/migrate.cpp: the state got other members since the run began, and the run goes on.
//   migrate FOLDER old|new [STEP]   trains to that step, with the program of last month or with today's
#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace last_month {
struct training {  // no version is version 1
  std::int32_t step = 0;
  std::vector<float> w = std::vector<float>(100);
  float lr = 0.01f;
  std::mt19937_64 engine{2024};
  std::string note = "a try";
};
}  // namespace last_month

struct schedule { float initial = 0.02f, now = 0.02f; };
struct training {
  static constexpr std::uint32_t checkpoint_version = 2;                                         // one more whenever members change
  static constexpr tidemark::renamed_path renamed[] = {{"w", "weight"}, {"lr", "rate.initial"}};  // from, to
  std::uint64_t step = 0;                                    // had 32 bits
  std::vector<double> weight = std::vector<double>(100);     // had floats, and another name
  schedule rate;                                             // one number before
  std::mt19937_64 engine{2024};
  std::vector<double> losses;                                // new: starts empty
  std::string phase = "warm-up";                             // new, and not empty: see migrate. `note` is gone
  static void migrate(training& t, const tidemark::stored_record& old) {  // what no rule can say; runs last
    t.rate.now = old.read<float>("lr") / 2;
    t.phase = old.read<std::int32_t>("step") < 100 ? "warm-up" : "main";
  }
};

void train_step(last_month::training& t) {
  for (float& w : t.w) w += t.lr * (static_cast<float>(t.engine() % 1000) / 1000 - w);
  ++t.step;
}
void train_step(training& t) {
  for (double& w : t.weight) w += double{t.rate.now} * (static_cast<double>(t.engine() % 1000) / 1000 - w);
  t.losses.push_back(t.weight[0] * t.weight[0]);
  ++t.step;
}
void print(const last_month::training& t) { std::cout << "weight " << t.w[0] << " rate " << t.lr << '\n'; }
void print(const training& t) {
  std::cout << "weight " << t.weight[0] << " rate " << t.rate.initial << ' ' << t.rate.now << " phase " << t.phase << '\n';
}

// The same for both: nothing here knows of versions.
template <class State>
void train(const std::string& folder, std::uint64_t last) {
  State state;
  tidemark::checkpointer run{folder, {.every_steps = 50, .keep_last = 3}};
  if (const auto at = run.resume(state)) {
    std::cout << "resumed at step " << at->step << '\n';
    for (const auto& did : at->report.evolution) std::cout << "  " << name_of(did.is) << ' ' << did.path << ": " << did.detail << '\n';
    print(state);
  }
  while (static_cast<std::uint64_t>(state.step) < last) {
    train_step(state);
    if (run.tick(state, static_cast<std::uint64_t>(state.step)).stop) break;
  }
  run.finish(state);
  print(state);
}

int main(int count, char** words) try {
  if (count < 3) throw std::invalid_argument("migrate FOLDER old|new [STEP]");
  const std::uint64_t last = count > 3 ? std::stoull(words[3]) : 300;
  if (std::string_view(words[2]) == "old") train<last_month::training>(words[1], last);
  else train<training>(words[1], last);
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
