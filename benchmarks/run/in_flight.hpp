// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/in_flight.hpp: how fast the demo trains while a save is under way in the background.
#ifndef TIDEMARK_BENCHMARKS_RUN_IN_FLIGHT_HPP
#define TIDEMARK_BENCHMARKS_RUN_IN_FLIGHT_HPP

#include <tidemark/run.hpp>

#include <charlm/trainer.hpp>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"

namespace bench {

/// The demo's state, and as much beside it that a save takes longer than the steps that are timed.
struct heavy_trainer {
  charlm::trainer trainer;
  std::vector<float> ballast;
};

inline void in_flight(const options& o, const scratch_folder& folder) {
  const auto words = folder / "text";
  std::ofstream(words) << [] {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += static_cast<char>('a' + i * i % 26);
    return text;
  }();
  const charlm::text corpus = charlm::read_text(words.string());
  heavy_trainer state{charlm::fresh_trainer(corpus.alphabet, corpus.windows(), 1'000'000), {}};
  state.ballast.assign((o.is_quick ? std::size_t{16} << 20 : std::size_t{512} << 20) / sizeof(float), 1.0f);
  const int steps = o.is_quick ? 5 : 40;
  std::uint64_t saved = 0;

  const auto train = [&] {
    for (int i = 0; i < steps; ++i) charlm::train_step(state.trainer, corpus);
  };
  race r(std::to_string(steps) + " steps of the demo, alone and beside a save of " + std::to_string(state.ballast.size() * sizeof(float) >> 20) + " MiB");
  const auto options_of = [](tidemark::background how) { return tidemark::checkpointer_options{.every_steps = 1, .keep_last = 1, .background = how}; };
  tidemark::checkpointer staged(folder / "in_flight_staged", options_of(tidemark::background::staged));
  tidemark::checkpointer forked(folder / "in_flight_fork", options_of(tidemark::background::fork));
  const auto idle = [&] {
    staged.wait();
    forked.wait();
  };
  int ended_early = 0;
  /// Seconds of the steps alone: what the tick itself takes is another benchmark's matter.
  const auto beside = [&](tidemark::checkpointer& run) {
    const auto save = run.save_in_background(state, ++saved);
    const auto start = std::chrono::steady_clock::now();
    train();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ended_early += save.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    return seconds;
  };
  r.row("alone", train, idle);
  r.row("alone, again", train, idle);
  r.row("beside a staged save", [&]() -> double { return beside(staged); }, idle);
  r.row("beside a forked save", [&]() -> double { return beside(forked); }, idle);
  r.run(o.rounds);
  const std::string note = r.spread("alone", "alone, again") + "; " + std::to_string(ended_early) + " saves ended before the steps";
  judge("run.speed_beside_staged", r.median("alone") / r.median("beside a staged save"), side::at_least, 0.85, note);
  judge("run.speed_beside_fork", r.median("alone") / r.median("beside a forked save"), side::at_least, 0.85, note);
}

}  // namespace bench
#endif
