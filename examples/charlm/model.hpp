// SPDX-License-Identifier: BSL-1.0
// examples/charlm/model.hpp: the network, from a window of characters to the loss of the next one, and back.
#ifndef TIDEMARK_EXAMPLES_CHARLM_MODEL_HPP
#define TIDEMARK_EXAMPLES_CHARLM_MODEL_HPP

#include "layers.hpp"
#include "text.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace charlm {

inline constexpr std::size_t embedding_width = 16;
inline constexpr std::size_t input_width = context * embedding_width;
inline constexpr std::size_t hidden_width = 128;

/// What is drawn at random for one window: noise on its embeddings, and which hidden units dropout keeps.
template <class Real>
struct perturbation {
  std::array<Real, input_width> noise;
  std::array<Real, hidden_width> mask1, mask2;

  /// None, for use after training.
  static perturbation none() {
    perturbation result{};
    result.mask1.fill(1);
    result.mask2.fill(1);
    return result;
  }
};

/// What `forward` keeps for `backward`. Computed anew for every window, so no part of the state.
template <class Real>
struct activations {
  std::array<Real, input_width> input;
  tanh_dropout<Real, hidden_width> hidden1, hidden2;
  std::vector<Real> probability;  // of every symbol to come next
};

/// Embedding, two hidden layers, output. It is also the type of its own gradient and moments.
template <class Real>
struct model {
  std::vector<std::array<Real, embedding_width>> embedding;  // one row a symbol
  linear<Real, input_width> hidden1;
  linear<Real, hidden_width> hidden2;
  linear<Real, hidden_width> output;

  /// Predicts the next symbol of `w` and returns the loss, in nats.
  Real forward(const window& w, const perturbation<Real>& p, activations<Real>& a) const {
    for (std::size_t at = 0; at < context; ++at)
      for (std::size_t i = 0; i < embedding_width; ++i)
        a.input[at * embedding_width + i] = embedding[w.before[at]][i] + p.noise[at * embedding_width + i];

    std::array<Real, hidden_width> sum;
    hidden1.forward(a.input, sum);
    a.hidden1.forward(sum, p.mask1);
    hidden2.forward(a.hidden1.output, sum);
    a.hidden2.forward(sum, p.mask2);
    a.probability.resize(output.bias.size());
    output.forward(a.hidden2.output, a.probability);
    softmax<Real>(a.probability);
    return -std::log(a.probability[w.next]);
  }

  /// Adds the gradient of the loss that `forward` returned, for the same `w`, `p` and `a`, to `gradient`.
  void backward(const window& w, const perturbation<Real>& p, const activations<Real>& a, model& gradient) const {
    std::vector<Real> slope_scores = a.probability;
    slope_scores[w.next] -= 1;
    auto slope2 = output.backward(a.hidden2.output, slope_scores, gradient.output);
    a.hidden2.backward(slope2, p.mask2);
    auto slope1 = hidden2.backward(a.hidden1.output, slope2, gradient.hidden2);
    a.hidden1.backward(slope1, p.mask1);
    const auto slope_input = hidden1.backward(a.input, slope1, gradient.hidden1);

    for (std::size_t at = 0; at < context; ++at)
      for (std::size_t i = 0; i < embedding_width; ++i)
        gradient.embedding[w.before[at]][i] += slope_input[at * embedding_width + i];
  }

  bool operator==(const model&) const = default;
};

/// A model of zeros: an empty gradient, or the moments at the start.
template <class Real>
model<Real> zero_model(std::size_t symbols) {
  model<Real> result;
  result.embedding.resize(symbols);
  const auto resize = [](auto& layer, std::size_t outputs) {
    layer.weight.resize(outputs);
    layer.bias.resize(outputs);
  };
  resize(result.hidden1, hidden_width);
  resize(result.hidden2, hidden_width);
  resize(result.output, symbols);
  return result;
}

/// What the rows of one parameter have in common. AdamW decays matrices, and leaves embedding and biases alone.
struct parameter {
  std::string_view name;
  bool is_decayed;
};

/// Calls `visit(parameter, row of the first model, row of the second, ...)` for every row of every parameter, always in one order.
template <class Visit, class Model, class... Models>
void for_each_row(Visit visit, Model& first, Models&... rest) {
  const auto rows = [&](parameter which, auto member) {
    for (std::size_t row = 0; row < member(first).size(); ++row)
      visit(which, std::span{member(first)[row]}, std::span{member(rest)[row]}...);
  };
  const auto layer = [&](parameter weight, parameter bias, auto member) {
    rows(weight, [member](auto& net) -> auto& { return member(net).weight; });
    visit(bias, std::span{member(first).bias}, std::span{member(rest).bias}...);
  };
  rows({"embedding", false}, [](auto& net) -> auto& { return net.embedding; });
  layer({"hidden1.weight", true}, {"hidden1.bias", false}, [](auto& net) -> auto& { return net.hidden1; });
  layer({"hidden2.weight", true}, {"hidden2.bias", false}, [](auto& net) -> auto& { return net.hidden2; });
  layer({"output.weight", true}, {"output.bias", false}, [](auto& net) -> auto& { return net.output; });
}

/// A model to start from: embedding of deviation 0.3, matrices of deviation 1/sqrt(in), biases of zero.
template <class Real>
model<Real> fresh_model(std::size_t symbols, std::mt19937_64& engine) {
  model<Real> result = zero_model<Real>(symbols);
  std::normal_distribution<Real> normal;
  for_each_row(
      [&](parameter which, auto row) {
        if (which.name.ends_with("bias")) return;
        const Real deviation = which.is_decayed ? 1 / std::sqrt(static_cast<Real>(row.size())) : Real(0.3);
        for (Real& value : row) value = deviation * normal(engine);
      },
      result);
  return result;
}

}  // namespace charlm
#endif
