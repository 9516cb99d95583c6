// SPDX-License-Identifier: BSL-1.0
// examples/charlm/optimizer.hpp: AdamW with decoupled weight decay, and clipping by the global norm.
#ifndef TIDEMARK_EXAMPLES_CHARLM_OPTIMIZER_HPP
#define TIDEMARK_EXAMPLES_CHARLM_OPTIMIZER_HPP

#include "model.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace charlm {

/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization", algorithm 2. The moments have the model's own shape.
template <class Real>
struct adamw {
  model<Real> first, second;  // moving averages of the gradient and of its square
  std::uint64_t updates = 0;
  Real beta1 = Real(0.9), beta2 = Real(0.99), epsilon = Real(1e-8), decay = Real(0.01);

  /// Moves `net` down `gradient` by one update at learning rate `rate`.
  void update(model<Real>& net, const model<Real>& gradient, Real rate) {
    ++updates;
    const Real correction1 = 1 - std::pow(beta1, static_cast<Real>(updates));
    const Real correction2 = 1 - std::pow(beta2, static_cast<Real>(updates));
    for_each_row(
        [&](parameter which, auto weight, auto slope, auto average, auto square) {
          const Real kept = which.is_decayed ? 1 - rate * decay : Real{1};
          for (std::size_t i = 0; i < weight.size(); ++i) {
            average[i] = beta1 * average[i] + (1 - beta1) * slope[i];
            square[i] = beta2 * square[i] + (1 - beta2) * slope[i] * slope[i];
            const Real step = (average[i] / correction1) / (std::sqrt(square[i] / correction2) + epsilon);
            weight[i] = kept * weight[i] - rate * step;
          }
        },
        net, gradient, first, second);
  }

  bool operator==(const adamw&) const = default;
};

/// Multiplies every value of `gradient` by `factor`.
template <class Real>
void scale(model<Real>& gradient, Real factor) {
  for_each_row([&](parameter, auto row) { for (Real& value : row) value *= factor; }, gradient);
}

/// Length of `gradient` as one vector.
template <class Real>
Real norm(const model<Real>& gradient) {
  double squares = 0;
  for_each_row([&](parameter, auto row) { for (const Real value : row) squares += double{value} * double{value}; }, gradient);
  return static_cast<Real>(std::sqrt(squares));
}

/// Shortens `gradient` to length `limit` where it is longer.
template <class Real>
void clip(model<Real>& gradient, Real limit) {
  const Real length = norm(gradient);
  if (length > limit) scale(gradient, limit / length);
}

}  // namespace charlm
#endif
