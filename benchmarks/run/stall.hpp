// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/stall.hpp: how long a training waits for a save in the background, beside a copy of its state in memory.
#ifndef TIDEMARK_BENCHMARKS_RUN_STALL_HPP
#define TIDEMARK_BENCHMARKS_RUN_STALL_HPP

#include <tidemark/run.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "../store/large_state.hpp"
#include "mapped_bytes.hpp"

namespace bench {

/// A run that saves at every tick. What it writes need not reach the disk here: the stall does not depend on it.
inline tidemark::checkpointer_options saving_always(tidemark::background how) {
  return {.every_steps = 1, .keep_last = 1, .background = how, .durability = tidemark::durability::process};
}

/// One way of saving, in a race of its own: a copy that staged saves keep would be forked along.
inline void stall(const options& o, const scratch_folder& folder, const char* name, tidemark::background how, double bar) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  large_state state = make_large_state(bytes);
  const mapped_bytes copy(bytes, MADV_DONTFORK);  // what the benchmark holds beside the state is not the training's
  if (!copy.is_advised()) throw std::runtime_error("the copy cannot be kept out of a fork");
  const auto copy_all = [&] {
    std::byte* to = copy.get();
    for (const std::vector<float>* array : arrays_of(state)) {
      std::memcpy(to, array->data(), array->size() * sizeof(float));
      to += array->size() * sizeof(float);
    }
    keep(to);
  };
  std::uint64_t step = 0;
  tidemark::checkpointer run(folder / name, saving_always(how));
  const auto idle = [&] { run.wait(); };  // no row pays for a save of another

  race r("stall of tick at " + std::to_string(bytes >> 20) + " MiB, " + name);
  const std::string tick = std::string("tick, ") + name;
  r.row("memcpy of the state, warm", copy_all, idle);
  r.row("memcpy of the state, again", copy_all, idle);
  r.row(tick, [&] { static_cast<void>(run.tick(state, ++step)); }, idle);
  r.run(o.rounds);
  judge(std::string("run.") + name + "_stall_of_memcpy", r.minimum(tick) / r.minimum("memcpy of the state, warm"), side::at_most, bar,
        r.spread("memcpy of the state, warm", "memcpy of the state, again"));
}

inline void stall(const options& o, const scratch_folder& folder) {
  stall(o, folder, "staged", tidemark::background::staged, 1.05);
  stall(o, folder, "fork", tidemark::background::fork, 0.4);
}

}  // namespace bench
#endif
