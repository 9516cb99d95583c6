// SPDX-License-Identifier: BSL-1.0
// examples/charlm/inspect.hpp: what a checkpoint holds, and where two of them first differ.
#ifndef TIDEMARK_EXAMPLES_CHARLM_INSPECT_HPP
#define TIDEMARK_EXAMPLES_CHARLM_INSPECT_HPP

#include "parts.hpp"
#include "trainer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace charlm {

/// Lets the model write on after `start`, up to `length` characters. Draws from an engine of its own, so the state stays as it is.
inline std::string write_on(const trainer& state, std::string_view start, std::size_t length) {
  std::mt19937_64 engine{1};
  activations<float> scratch;
  const auto none = perturbation<float>::none();
  std::vector<std::uint8_t> symbols(context, symbol_of(' ', state.alphabet));
  for (const char character : start) symbols.push_back(symbol_of(character, state.alphabet));
  std::string result{start};
  while (result.size() < length) {
    state.net.forward({std::span{symbols}.last<context>(), 0}, none, scratch);
    for (float& p : scratch.probability) p *= p;  // leans towards the likely ones
    std::discrete_distribution<unsigned> next{scratch.probability.begin(), scratch.probability.end()};
    symbols.push_back(static_cast<std::uint8_t>(next(engine)));
    result.push_back(state.alphabet[symbols.back()]);
  }
  return result;
}

/// Mean of the first or the last losses, as one batch alone says little.
inline double mean(std::span<const double> losses) {
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return losses.empty() ? 0 : sum / static_cast<double>(losses.size());
}

inline void show(const trainer& state, std::ostream& out) {
  const std::span<const double> losses{state.losses};
  const std::size_t some = std::min<std::size_t>(losses.size(), 20);
  const bool has_spare = state.random.normal != std::normal_distribution<float>{};
  out << "step         " << state.count.step << " of " << state.schedule.total << ", " << state.count.characters << " characters seen\n"
      << "order        epoch " << state.order.epoch() << ", window " << state.order.cursor() << " of " << state.order.size() << '\n'
      << "rate         " << state.schedule.rate << " after " << state.schedule.step << " scheduler steps\n"
      << "optimizer    " << state.optimizer.updates << " updates\n"
      << "rng          normal distribution " << (has_spare ? "with" : "without") << " a spare number\n"
      << "loss         " << mean(losses.first(some)) << " over the first " << some << " steps, " << mean(losses.last(some))
      << " over the last; best " << state.count.best_loss << '\n'
      << "it writes    " << write_on(state, "The ", 240) << '\n';
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Where two sequences first differ, their common length where one is the start of the other.
template <class Sequence, class Equal = std::equal_to<>>
std::size_t first_difference(const Sequence& a, const Sequence& b, Equal equal = {}) {
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), equal).first;
  return static_cast<std::size_t>(at - a.begin());
}

/// Says how two checkpoints differ; true when they do not: equal files, byte by byte, and equal losses, bit by bit.
inline bool compare(const std::string& path_a, const std::string& path_b, std::ostream& out) {
  const std::string bytes_a = bytes_of(path_a), bytes_b = bytes_of(path_b);
  const trainer a = tidemark::load<trainer>(path_a), b = tidemark::load<trainer>(path_b);
  const bool equal_files = bytes_a == bytes_b;

  out << "files        ";
  if (equal_files)
    out << "byte-equal, " << bytes_a.size() << " bytes\n";
  else
    out << "differ from byte " << first_difference(bytes_a, bytes_b) << " on\n";

  const auto same_bits = [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); };
  const std::size_t step = first_difference(a.losses, b.losses, same_bits);
  const bool equal_losses = step == a.losses.size() && step == b.losses.size();
  out << "losses       ";
  if (equal_losses)
    out << "bit-equal, " << a.losses.size() << " steps\n";
  else if (step < a.losses.size() && step < b.losses.size())
    out << "differ from step " << step + 1 << " on: " << a.losses[step] << " and " << b.losses[step] << '\n';
  else
    out << "one has " << a.losses.size() << " steps, the other " << b.losses.size() << '\n';

  out << "parts        ";
  std::string differing;
  for (const part& each : parts)
    if (!each.equal(a, b)) differing += (differing.empty() ? "" : ", ") + std::string{each.name};
  out << (differing.empty() ? "all equal" : "different: " + differing) << '\n';
  return equal_files && equal_losses;
}

}  // namespace charlm
#endif
