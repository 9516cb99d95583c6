// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/stall.hpp: how long a training waits for a save in the background, beside a copy of its state in memory.
#ifndef TIDEMARK_BENCHMARKS_RUN_STALL_HPP
#define TIDEMARK_BENCHMARKS_RUN_STALL_HPP

#include <tidemark/run.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "../store/large_state.hpp"

namespace bench {

/// A run that saves at every tick. What it writes need not reach the disk here: the stall does not depend on it.
inline tidemark::checkpointer_options saving_always(tidemark::background how) {
  return {.every_steps = 1, .keep_last = 1, .background = how, .durability = tidemark::durability::process};
}

inline void stall(const options& o, const scratch_folder& folder) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  large_state state = make_large_state(bytes);
  const auto copy = std::unique_ptr<std::byte[]>(new std::byte[bytes]);
  std::memset(copy.get(), 1, bytes);
  std::uint64_t step = 0;
  const auto copy_all = [&] {
    std::byte* to = copy.get();
    for (const std::vector<float>* array : arrays_of(state)) {
      std::memcpy(to, array->data(), array->size() * sizeof(float));
      to += array->size() * sizeof(float);
    }
    keep(copy);
  };

  race r("stall of tick at " + std::to_string(bytes >> 20) + " MiB");
  // One at a time holds the folder, and each waits until its last save is done, so that no row pays for another.
  const auto wait_for = [](std::unique_ptr<tidemark::checkpointer>& run) {
    if (run) run->wait();
  };
  std::unique_ptr<tidemark::checkpointer> staged, forked;
  staged = std::make_unique<tidemark::checkpointer>(folder / "staged", saving_always(tidemark::background::staged));
  forked = std::make_unique<tidemark::checkpointer>(folder / "fork", saving_always(tidemark::background::fork));
  const auto idle = [&] {
    wait_for(staged);
    wait_for(forked);
  };
  r.row("memcpy of the state, warm", copy_all, idle);
  r.row("memcpy of the state, again", copy_all, idle);
  r.row("tick, staged", [&] { static_cast<void>(staged->tick(state, ++step)); }, idle);
  r.row("tick, fork", [&] { static_cast<void>(forked->tick(state, ++step)); }, idle);
  r.run(o.rounds);
  const std::string spread = r.spread("memcpy of the state, warm", "memcpy of the state, again");
  judge("run.staged_stall_of_memcpy", r.minimum("tick, staged") / r.minimum("memcpy of the state, warm"), side::at_most, 1.05, spread);
  judge("run.fork_stall_of_memcpy", r.minimum("tick, fork") / r.minimum("memcpy of the state, warm"), side::at_most, 0.4, spread);
}

}  // namespace bench
#endif
