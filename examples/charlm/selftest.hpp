// SPDX-License-Identifier: BSL-1.0
// examples/charlm/selftest.hpp: gradients against central differences, optimizer and schedule against their definitions.
#ifndef TIDEMARK_EXAMPLES_CHARLM_SELFTEST_HPP
#define TIDEMARK_EXAMPLES_CHARLM_SELFTEST_HPP

#include "model.hpp"
#include "optimizer.hpp"
#include "schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace charlm {

/// One line a check; remembers whether any failed.
struct checks {
  std::ostream& out;
  bool all_passed = true;

  void expect(bool passed, const std::string& what) {
    out << (passed ? "  ok      " : "  FAILED  ") << what << '\n';
    all_passed = all_passed && passed;
  }
};

/// Backpropagation against (loss(x + e) - loss(x - e)) / 2e, in double precision, with dropout and noise, at values spread over
/// every parameter.
inline void check_gradients(checks& check) {
  std::mt19937_64 engine{3};
  constexpr std::size_t symbols = 7;
  constexpr std::size_t windows = 12;
  auto net = fresh_model<double>(symbols, engine);
  text corpus{.alphabet = "abcdefg", .symbols = {}};
  for (std::size_t i = 0; i < context + windows; ++i) corpus.symbols.push_back(static_cast<std::uint8_t>(engine() % symbols));

  std::normal_distribution<double> normal{0, 0.1};
  std::bernoulli_distribution keep{0.8};
  std::vector<perturbation<double>> drawn(windows);
  for (auto& p : drawn) {
    for (double& value : p.noise) value = normal(engine);
    for (double& value : p.mask1) value = keep(engine) ? 1.25 : 0;
    for (double& value : p.mask2) value = keep(engine) ? 1.25 : 0;
  }

  activations<double> scratch;
  const auto loss = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < windows; ++i) sum += net.forward(corpus[i], drawn[i], scratch);
    return sum;
  };
  auto gradient = zero_model<double>(symbols);
  for (std::size_t i = 0; i < windows; ++i) {
    net.forward(corpus[i], drawn[i], scratch);
    net.backward(corpus[i], drawn[i], scratch, gradient);
  }

  struct tally {
    std::size_t values = 0, slopes = 0;  // checked; of those, not zero
    double worst = 0;                    // difference, relative to the slope or to 1 where that is larger
    std::size_t next = 0;                // column to check next, counted from the row at hand
  };
  std::map<std::string, tally> found;
  for_each_row(
      [&](parameter which, auto row, auto slope) {
        tally& of = found[std::string{which.name}];
        const std::size_t stride = which.is_decayed ? 101 : 3;  // odd: the columns differ from row to row
        for (; of.next < row.size(); of.next += stride) {
          const std::size_t column = of.next;
          constexpr double e = 1e-5;
          const double kept = row[column];
          row[column] = kept + e;
          const double above = loss();
          row[column] = kept - e;
          const double below = loss();
          row[column] = kept;
          const double expected = (above - below) / (2 * e);
          ++of.values;
          if (slope[column] != 0) ++of.slopes;
          of.worst = std::max(of.worst, std::abs(slope[column] - expected) / std::max(1.0, std::abs(expected)));
        }
        of.next -= row.size();
      },
      net, gradient);

  check.expect(found.size() == 7, "seven parameters have a gradient");
  for (const auto& [name, of] : found) {
    const bool passed = of.worst < 1e-7 && 2 * of.slopes > of.values;
    check.expect(passed, "gradient of " + name + ": " + std::to_string(of.values) + " values, " + std::to_string(of.slopes) +
                             " not zero, worst difference " + std::to_string(of.worst * 1e9) + "e-9");
  }
}

inline void check_optimizer(checks& check) {
  auto net = zero_model<double>(3), gradient = net;
  adamw<double> optimizer{.first = net, .second = net};
  net.hidden1.weight[0][0] = net.hidden1.bias[0] = 2;
  gradient.hidden1.weight[0][0] = gradient.hidden1.bias[0] = -30;
  gradient.hidden2.bias[5] = 40;

  check.expect(norm(gradient) == std::sqrt(900.0 + 900 + 1600), "the norm is that of all gradients together");
  auto clipped = gradient;
  clip(clipped, 2.0);
  check.expect(std::abs(norm(clipped) - 2) < 1e-12, "a long gradient is clipped to the limit");
  const auto short_enough = clipped;
  clip(clipped, 2.5);
  check.expect(clipped == short_enough, "a short gradient is left alone");

  // The first update is one rate against the sign of the gradient; the decay is apart from it, and for matrices only.
  optimizer.update(net, gradient, 0.1);
  const double decayed = 2 * (1 - 0.1 * optimizer.decay);
  check.expect(std::abs(net.hidden1.weight[0][0] - (decayed + 0.1)) < 1e-9, "AdamW decays a weight beside its step");
  check.expect(std::abs(net.hidden1.bias[0] - 2.1) < 1e-9, "AdamW does not decay a bias");
  check.expect(net.output.bias[0] == 0, "AdamW leaves a value without gradient alone");
}

inline void check_schedule(checks& check) {
  cosine_schedule schedule{.warmup = 10, .total = 110};
  std::vector<float> rates;
  for (int step = 0; step < 120; ++step) rates.push_back(schedule.next());
  check.expect(std::is_sorted(rates.begin(), rates.begin() + 10) && rates[9] == schedule.peak, "the rate warms up to its peak");
  check.expect(std::abs(rates[59] - (schedule.peak + schedule.lowest) / 2) < 1e-6f, "it is half-way down in the middle");
  check.expect(std::is_sorted(rates.rbegin(), rates.rend() - 10) && rates[109] == schedule.lowest && rates[119] == schedule.lowest,
               "it falls to its lowest and stays there");
}

inline bool selftest(std::ostream& out) {
  checks check{out};
  check_gradients(check);
  check_optimizer(check);
  check_schedule(check);
  return check.all_passed;
}

}  // namespace charlm
#endif
