// SPDX-License-Identifier: BSL-1.0
// examples/charlm/layers.hpp: what the model is made of, each layer with its gradient written by hand.
#ifndef TIDEMARK_EXAMPLES_CHARLM_LAYERS_HPP
#define TIDEMARK_EXAMPLES_CHARLM_LAYERS_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace charlm {

/// Sum of products in eight interleaved partial sums: an order that the code fixes, and that a compiler can use vector instructions for.
template <class Real, std::size_t N>
Real dot(const std::array<Real, N>& a, const std::array<Real, N>& b) {
  constexpr std::size_t lanes = 8;
  static_assert(N % lanes == 0);
  std::array<Real, lanes> partial{};
  for (std::size_t i = 0; i < N; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += a[i + lane] * b[i + lane];
  Real sum = 0;
  for (const Real part : partial) sum += part;
  return sum;
}

/// sum += scale * direction
template <class Real, std::size_t N>
void add_scaled(std::array<Real, N>& sum, Real scale, const std::array<Real, N>& direction) {
  for (std::size_t i = 0; i < N; ++i) sum[i] += scale * direction[i];
}

/// y = W x + b, with W laid out [out][in] as PyTorch does.
template <class Real, std::size_t In>
struct linear {
  std::vector<std::array<Real, In>> weight;
  std::vector<Real> bias;

  void forward(const std::array<Real, In>& x, std::span<Real> y) const {
    for (std::size_t out = 0; out < bias.size(); ++out) y[out] = bias[out] + dot(weight[out], x);
  }

  /// Given the slope of the loss by y, adds that by W and b to `gradient` and returns that by x.
  std::array<Real, In> backward(const std::array<Real, In>& x, std::span<const Real> slope, linear& gradient) const {
    std::array<Real, In> slope_x{};
    for (std::size_t out = 0; out < bias.size(); ++out) {
      add_scaled(gradient.weight[out], slope[out], x);
      gradient.bias[out] += slope[out];
      add_scaled(slope_x, slope[out], weight[out]);
    }
    return slope_x;
  }

  bool operator==(const linear&) const = default;
};

/// y = mask * tanh(x): an activation and its dropout. `mask` holds 0, or the factor that keeps the expected value.
template <class Real, std::size_t N>
struct tanh_dropout {
  std::array<Real, N> activation{};
  std::array<Real, N> output{};

  void forward(const std::array<Real, N>& x, const std::array<Real, N>& mask) {
    for (std::size_t i = 0; i < N; ++i) {
      activation[i] = std::tanh(x[i]);
      output[i] = mask[i] * activation[i];
    }
  }

  /// Turns the slope of the loss by y into that by x.
  void backward(std::array<Real, N>& slope, const std::array<Real, N>& mask) const {
    for (std::size_t i = 0; i < N; ++i) slope[i] *= mask[i] * (1 - activation[i] * activation[i]);
  }
};

/// Turns scores into probabilities, in place.
template <class Real>
void softmax(std::span<Real> scores) {
  const Real highest = *std::max_element(scores.begin(), scores.end());
  Real sum = 0;
  for (Real& score : scores) sum += score = std::exp(score - highest);
  for (Real& score : scores) score /= sum;
}

}  // namespace charlm
#endif
