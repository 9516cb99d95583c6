// SPDX-License-Identifier: BSL-1.0
// run/retention.hpp: which checkpoints of a run may be deleted, decided from facts alone (floor: run).
#ifndef TIDEMARK_RUN_RETENTION_HPP
#define TIDEMARK_RUN_RETENTION_HPP

#include <tidemark/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// Which end of a metric is good.
enum class best : std::uint8_t { lowest, highest };

/// Keeps the `n` checkpoints with the best value of a metric that was given when they were saved.
struct keep_best {
  std::string metric;
  best is = best::lowest;
  std::size_t n = 1;
};

/// What a run keeps; a checkpoint that any of these keeps is kept.
struct retention {
  std::size_t keep_last = 3;      ///< the newest valid ones; at least 1
  std::uint64_t keep_every = 0;   ///< steps: of each interval of so many steps the checkpoint nearest its end; 0: none
  std::vector<tidemark::keep_best> keep_best = {};
  std::size_t keep_geometric = 0; ///< one that is 1 save old, one of 2 to 3 saves, of 4 to 7, ... : so many ages
};

/// All that is needed to know of a checkpoint.
struct checkpoint_facts {
  std::uint64_t sequence = 0;  ///< in order of saving, one more each time; never used twice
  std::uint64_t step = 0;
  bool is_valid = true;        ///< can be resumed from
  bool is_pinned = false;
  std::vector<std::pair<std::string, double>> metrics = {};
};

/// Throws `error` (`invalid_value`) for options that would keep nothing, or what nobody can mean.
void require_usable(const retention& keep);

namespace detail {

/// The value of a metric; null where there is none, or a NaN.
const double* metric_of(const checkpoint_facts& facts, const std::string& name) noexcept;

/// Indexes of the valid ones, oldest first.
std::vector<std::size_t> valid_by_sequence(std::span<const checkpoint_facts> all);

/// The interval that ends at a multiple of `every` and holds `step`.
constexpr std::uint64_t interval_of(std::uint64_t step, std::uint64_t every) noexcept { return step / every + (step % every != 0); }

/// Collects what is kept. `order` are the valid ones, oldest first.
struct retention_marks {
  std::span<const checkpoint_facts> all;
  const std::vector<std::size_t>& order;
  std::vector<bool> kept;

  void keep_last(std::size_t n);

  /// Only a higher step of the interval, or the same step saved again, releases the one before it: so a rerun from an older step does not
  /// touch a milestone before it has one of its own, and saves that miss the multiples leave a checkpoint in each interval too.
  void keep_every(std::uint64_t every);

  void keep_best(const tidemark::keep_best& rule);

  /// At level k sequences fall into buckets of 2^k. The first of the newest bucket and the first of the one before are kept: the second is
  /// the one of age 2^k to 2^(k+1)-1, the first will be it later. The first of a bucket of level k is that of one of the two buckets of
  /// level k-1 in it, so that each level keeps at most one more than the level below, and never wants one that was let go before.
  void keep_geometric(std::size_t ages);
};

}  // namespace detail

/// Indexes into `all` of the checkpoints that may be deleted now, the oldest first.
///
/// The order is that of saving (`sequence`), whatever the steps do. Never among them: one that is not valid, a pinned one, the `keep_last`
/// newest valid ones, so at least min(keep_last, valid ones) remain. Calling it after each save and deleting what it gives leaves what one
/// call over the whole history would leave. A NaN, or no such metric, is never best; among equals the earlier stays. `keep_geometric`
/// keeps at most `keep_geometric` + 1. Throws `invalid_value` as `require_usable`. O(n log n), and n for each age.
std::vector<std::size_t> expired(std::span<const checkpoint_facts> all, const retention& keep);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/retention.ipp>
#endif
#endif
