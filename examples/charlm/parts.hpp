// SPDX-License-Identifier: BSL-1.0
// examples/charlm/parts.hpp: the state in named parts, to lose one on purpose and to say which ones differ.
#ifndef TIDEMARK_EXAMPLES_CHARLM_PARTS_HPP
#define TIDEMARK_EXAMPLES_CHARLM_PARTS_HPP

#include "trainer.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace charlm {

/// A part of the state: how to make it that of a training that only begins, and how to compare it.
struct part {
  std::string_view name;
  void (*lose)(trainer& state, const trainer& fresh);
  bool (*equal)(const trainer& a, const trainer& b);
};

inline bool equal_random(const random_state& a, const random_state& b) {
  return a.engine == b.engine && a.normal == b.normal && a.keep == b.keep;
}

inline bool equal_order(const tidemark::shuffled_sampler& a, const tidemark::shuffled_sampler& b) {
  return a.size() == b.size() && a.epoch() == b.epoch() && a.cursor() == b.cursor();
}

inline constexpr std::array<part, 7> parts{{
    {"model", [](trainer& state, const trainer& fresh) { state.net = fresh.net; },
     [](const trainer& a, const trainer& b) { return a.net == b.net; }},
    {"optimizer", [](trainer& state, const trainer& fresh) { state.optimizer = fresh.optimizer; },
     [](const trainer& a, const trainer& b) { return a.optimizer == b.optimizer; }},
    {"scheduler", [](trainer& state, const trainer& fresh) { state.schedule = fresh.schedule; },
     [](const trainer& a, const trainer& b) { return a.schedule == b.schedule; }},
    {"counters", [](trainer& state, const trainer& fresh) { state.count = fresh.count; },
     [](const trainer& a, const trainer& b) { return a.count == b.count; }},
    {"rng", [](trainer& state, const trainer& fresh) { state.random = fresh.random; },
     [](const trainer& a, const trainer& b) { return equal_random(a.random, b.random); }},
    {"data", [](trainer& state, const trainer& fresh) { state.order = fresh.order; },
     [](const trainer& a, const trainer& b) { return equal_order(a.order, b.order); }},
    // Only the one number that the normal distribution keeps back: the smallest loss there is.
    {"spare", [](trainer& state, const trainer&) { state.random.normal.reset(); },
     [](const trainer& a, const trainer& b) { return a.random.normal == b.random.normal; }},
}};

/// Puts the part called `name` back to where a training begins; "nothing" is a part too. Throws `std::runtime_error` for another name.
inline void lose(trainer& state, std::string_view name) {
  if (name == "nothing") return;
  const trainer fresh = fresh_trainer(state.alphabet, state.order.size(), state.schedule.total);
  for (const part& each : parts)
    if (each.name == name) return each.lose(state, fresh);
  throw std::runtime_error{"there is no part \"" + std::string{name} + "\""};
}

}  // namespace charlm
#endif
