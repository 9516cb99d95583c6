// SPDX-License-Identifier: BSL-1.0
// examples/charlm/schedule.hpp: the learning rate, up in a line over the warm-up, then down half a cosine.
#ifndef TIDEMARK_EXAMPLES_CHARLM_SCHEDULE_HPP
#define TIDEMARK_EXAMPLES_CHARLM_SCHEDULE_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace charlm {

/// Counts its own steps, as schedulers do: one that is built anew in mid-run warms up again.
struct cosine_schedule {
  float peak = 5e-3f, lowest = 1e-4f;
  std::uint64_t warmup = 0, total = 0;  // in steps
  std::uint64_t step = 0;
  float rate = 0;  // what the last step was given

  /// The rate for the next step. It is `peak` at the end of the warm-up, and `lowest` from step `total` on.
  float next() {
    ++step;
    if (step <= warmup) return rate = peak * static_cast<float>(step) / static_cast<float>(warmup);
    const double done = static_cast<double>(step - warmup) / static_cast<double>(std::max(total, warmup + 1) - warmup);
    const double height = 0.5 * (1 + std::cos(std::numbers::pi * std::min(done, 1.0)));
    return rate = lowest + (peak - lowest) * static_cast<float>(height);
  }

  bool operator==(const cosine_schedule&) const = default;
};

}  // namespace charlm
#endif
