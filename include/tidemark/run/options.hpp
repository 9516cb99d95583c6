// SPDX-License-Identifier: BSL-1.0
// run/options.hpp: what a checkpointer may be told: when it saves, how, and what it keeps (floor: run).
#ifndef TIDEMARK_RUN_OPTIONS_HPP
#define TIDEMARK_RUN_OPTIONS_HPP

#include <tidemark/core/cancellation.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/format/header_writer.hpp>
#include <tidemark/run/cadence.hpp>
#include <tidemark/run/retention.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/store/sharded_directory.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace tidemark {

/// Who writes a checkpoint while the program goes on.
enum class background : std::uint8_t {
  off,     ///< nobody: `tick` returns when it is durable
  staged,  ///< a thread, from a copy of the state; the program waits for the copy. Memory: one more state, kept and used again
  fork,    ///< a child process, from the memory as it was; the program waits for the fork. Memory: what the program changes meanwhile
};

/// What a tick does that is due while two saves are under way already.
enum class when_busy : std::uint8_t {
  wait,  ///< until one of them is done
  skip,  ///< saves at the next tick that finds room
};

struct checkpointer_options {
  std::uint64_t every_steps = 0;              ///< saves at each multiple, or the first tick behind one; 0: not by steps
  std::chrono::duration<double> every{0};     ///< wall clock, from one save's start to the next, whichever comes first; 0: not by time
  std::size_t keep_last = 3;                  ///< the newest; at least 1
  std::uint64_t keep_every = 0;               ///< steps; of each interval of so many one is kept for good; 0: none
  std::vector<tidemark::keep_best> keep_best{};  ///< {{.metric = "loss", .is = best::lowest, .n = 1}}, of the metrics given to `tick`
  std::size_t keep_geometric = 0;             ///< of ages 1, 2, 4, 8, ... saves: so many
  tidemark::background background = background::off;
  when_busy busy = when_busy::wait;
  std::optional<sharding> shards{};           ///< each checkpoint a folder of shards instead of a file
  tidemark::durability durability = tidemark::durability::power;
  tidemark::compression compression{};        ///< zstd_compression(3)
  std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< the last save is done, and `tick` says stop, before this
  bool catch_signals = false;                 ///< SIGTERM, SIGINT and SIGUSR1: the next `tick` saves and says stop; a second one ends at once
  tidemark::cancellation cancel{};            ///< a stop token: ends the save under way, and `tick` says stop
  metadata_list metadata{};                   ///< of each checkpoint, beside step, sequence and metrics
};

namespace detail {

/// What is longer than the clock can count is never. By its bits, because -ffast-math takes no NaN for one.
std::chrono::steady_clock::duration clock_duration(std::chrono::duration<double> given);

/// Throws `error` for what nobody can mean: what is kept, when, or checkpoints that would be saved and never read.
void require_usable(const checkpointer_options& options);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/options.ipp>
#endif
#endif
