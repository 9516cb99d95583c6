// SPDX-License-Identifier: BSL-1.0
// examples/charlm/trainer.hpp: everything that a training needs to go on, as one plain struct, and one step of it.
#ifndef TIDEMARK_EXAMPLES_CHARLM_TRAINER_HPP
#define TIDEMARK_EXAMPLES_CHARLM_TRAINER_HPP

#include "model.hpp"
#include "optimizer.hpp"
#include "schedule.hpp"
#include "text.hpp"

#include <tidemark/tidemark.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace charlm {

inline constexpr std::size_t batch = 32;         // windows a step
inline constexpr float longest_gradient = 1.0f;  // clipped beyond
inline constexpr float first_noise = 0.05f;      // deviation on the embeddings at step 0; none is left at the last step

struct counters {
  std::uint64_t step = 0;
  std::uint64_t characters = 0;  // seen so far, repeats included
  double best_loss = std::numeric_limits<double>::infinity();  // of one batch
  bool operator==(const counters&) const = default;
};

/// The engine, and the distributions that keep something between two draws.
struct random_state {
  std::mt19937_64 engine;
  std::normal_distribution<float> normal;  // draws two at a time and keeps the second one back
  std::bernoulli_distribution keep{0.9};   // a hidden unit in dropout
};

/// The state. Nothing is registered anywhere: tidemark saves the members of a plain struct by their names.
struct trainer {
  model<float> net;
  adamw<float> optimizer;
  cosine_schedule schedule;
  counters count;
  random_state random;
  tidemark::shuffled_sampler order;  // which window comes next, in an order new in every epoch
  std::string alphabet;              // of the text that it was trained on
  std::vector<double> losses;        // one a step
};

/// A trainer at step 0, for a text with this alphabet and this many windows. The same arguments give the same trainer.
inline trainer fresh_trainer(const std::string& alphabet, std::size_t windows, std::uint64_t steps) {
  constexpr std::uint64_t seed = 2024;
  trainer result;
  result.random.engine.seed(seed);
  result.net = fresh_model<float>(alphabet.size(), result.random.engine);
  result.optimizer.first = result.optimizer.second = zero_model<float>(alphabet.size());
  result.schedule.warmup = steps / 20;
  result.schedule.total = steps;
  // A step draws an even number of normals. After this one draw the distribution holds a spare at every
  // checkpoint, and a checkpoint that lost it would show.
  static_assert(batch * input_width % 2 == 0);
  result.random.normal(result.random.engine);
  result.order = tidemark::shuffled_sampler{windows, seed};
  result.alphabet = alphabet;
  return result;
}

/// Noise and dropout for one window.
inline perturbation<float> draw(random_state& random, float noise) {
  perturbation<float> result;
  const float kept = static_cast<float>(1 / random.keep.p());
  const auto unit = [&] { return random.keep(random.engine) ? kept : 0.0f; };
  std::generate(result.noise.begin(), result.noise.end(), [&] { return noise * random.normal(random.engine); });
  std::generate(result.mask1.begin(), result.mask1.end(), unit);
  std::generate(result.mask2.begin(), result.mask2.end(), unit);
  return result;
}

/// Trains on one batch.
inline void train_step(trainer& state, const text& corpus) {
  const float progress = static_cast<float>(state.count.step) / static_cast<float>(state.schedule.total);
  const float noise = first_noise * std::max(0.0f, 1 - progress);

  model<float> gradient = zero_model<float>(state.alphabet.size());
  activations<float> scratch;
  double loss = 0;
  for (std::size_t i = 0; i < batch; ++i) {
    const window w = corpus[state.order.next()];
    const perturbation<float> p = draw(state.random, noise);
    loss += double{state.net.forward(w, p, scratch)} / batch;
    state.net.backward(w, p, scratch, gradient);
  }
  scale(gradient, 1.0f / batch);
  clip(gradient, longest_gradient);
  state.optimizer.update(state.net, gradient, state.schedule.next());

  ++state.count.step;
  state.count.characters += batch;
  state.count.best_loss = std::min(state.count.best_loss, loss);
  state.losses.push_back(loss);
}

}  // namespace charlm
#endif
