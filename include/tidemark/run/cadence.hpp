// SPDX-License-Identifier: BSL-1.0
// run/cadence.hpp: when a run saves: every so many steps, every so often, and in time before it is ended (floor: run).
#ifndef TIDEMARK_RUN_CADENCE_HPP
#define TIDEMARK_RUN_CADENCE_HPP

#include <tidemark/core/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tidemark {

/// When a run saves by itself; whichever comes first. None of them: only when it is told to.
template <class Clock>
struct basic_cadence_options {
  std::uint64_t every_steps = 0;       ///< at each multiple, or at the first tick behind one; 0: not by steps
  typename Clock::duration every{0};   ///< wall clock, from one save's start to the next; 0: not by time
  /// When a batch system ends the process: the run saves for the last time, and stops, so that the save is done by then.
  std::optional<typename Clock::time_point> deadline = {};
  double safety = 1.5;                 ///< the last save may take so many times what the slowest of late took; at least 1
};

/// Why a save is due.
enum class save_reason : std::uint8_t { none, steps, time, deadline };

constexpr std::string_view name_of(save_reason why) noexcept {
  switch (why) {
    case save_reason::none: return "none";
    case save_reason::steps: return "steps";
    case save_reason::time: return "time";
    case save_reason::deadline: return "deadline";
  }
  return "unknown";
}

/// What a tick is to do.
struct tick_decision {
  save_reason why = save_reason::none;  ///< `none`: do not save
  bool stop = false;                    ///< the deadline is near: end after this tick

  bool is_due() const noexcept { return why != save_reason::none; }
  friend bool operator==(const tick_decision&, const tick_decision&) = default;
};

namespace detail {

/// The longest of the durations measured of late: of the last 32 at least, of the last 63 at most.
template <class Duration>
class recent_longest {
 public:
  void measure(Duration d) noexcept {
    longest_ = (std::max)(longest_, d);
    if (++measured_ % 32 == 0) before_ = std::exchange(longest_, Duration{0});
  }
  Duration get() const noexcept { return (std::max)(before_, longest_); }

 private:
  Duration before_{0}, longest_{0};
  unsigned measured_ = 0;
};

}  // namespace detail

/// Decides at each tick of a loop. It reads no clock: all time points are passed in. Constant time and memory.
///
/// A step is saved once: a second tick with the same step is not due. Steps may go back, by a restore inside of the process: from there on
/// they count anew, and the step that they went back to is not due by itself, as the one of `resumed` is not.
template <class Clock>
class basic_cadence {
 public:
  using duration = typename Clock::duration;
  using time_point = typename Clock::time_point;
  using options_type = basic_cadence_options<Clock>;

  /// Of a run that starts at step 0, `now`. Throws `error` (`invalid_value`) for a negative interval, or a safety that is below 1 or no
  /// number.
  basic_cadence(const options_type& options, time_point now) : options_(options), last_save_(now), tick_began_(now) {
    const auto refuse = [](const char* problem) { throw error({.code = errc::invalid_value, .action = "plan saves", .problem = problem}); };
    if (options.every < duration{0}) refuse("`every` is negative");
    if (!(options.safety >= 1 && options.safety <= 1000)) refuse("`safety` is not between 1 and 1000");
  }

  /// The run goes on from a checkpoint of this step.
  void resumed(std::uint64_t step, time_point now) noexcept {
    counted_from_ = last_step_ = step;
    saved_step_ = step;
    returned_to_.reset();
    last_save_ = tick_began_ = now;
    has_ticked_ = false;
  }

  /// Whether to save now, and whether to stop. Only `started` makes the next tick not due: a save that was put off stays due.
  tick_decision due(std::uint64_t step, time_point now) noexcept {
    if (now < last_save_) last_save_ = now;  // a clock that was set back
    if (has_ticked_) tick_.measure(passed(tick_began_, now));
    has_ticked_ = true;
    tick_began_ = now;
    if (step < last_step_) {
      counted_from_ = step;
      saved_step_.reset();
      returned_to_ = step;
    }
    if (returned_to_ && step != *returned_to_) returned_to_.reset();
    last_step_ = step;
    const bool is_saved = saved_step_ == step;
    if (is_near_deadline(now, 1)) return {is_saved ? save_reason::none : save_reason::deadline, true};
    // Another save now would leave no time for the last one, which comes a little later and covers it.
    if (is_saved || returned_to_ || is_near_deadline(now, 2)) return {};
    if (options_.every_steps != 0 && step / options_.every_steps != counted_from_ / options_.every_steps) return {save_reason::steps};
    if (options_.every > duration{0} && passed(last_save_, now) >= options_.every) return {save_reason::time};
    return {};
  }

  /// A save of this step starts now, due or not.
  void started(std::uint64_t step, time_point now) noexcept {
    counted_from_ = last_step_ = step;
    saved_step_ = step;
    last_save_ = now;
  }

  /// The save of this step failed, so the step is not saved. The next one is due as if it had not failed: a full disk is not tried at
  /// every tick.
  void failed(std::uint64_t step) noexcept {
    if (saved_step_ == step) saved_step_.reset();
  }

  /// A save took so long, from its start until it was durable.
  void finished(duration took) noexcept {
    save_.measure((std::max)(took, duration{0}));
    has_saved_ = true;
  }

  /// The loop goes on: what the tick itself took does not count as a step's duration.
  void returned(time_point now) noexcept { tick_began_ = now; }

  /// What a save will write, from which its duration is guessed until one was measured.
  void expect_bytes(std::uint64_t bytes) noexcept { bytes_ = bytes; }

  /// How long a save takes: the slowest of late; before the first, a second and 10 ms a MB, which few disks are slower than.
  std::chrono::duration<double> expected_save() const noexcept {
    if (has_saved_) return save_.get();
    return std::chrono::duration<double>(1.0 + static_cast<double>(bytes_) / slow_bytes_per_second);
  }

  const options_type& options() const noexcept { return options_; }

 private:
  static constexpr double slow_bytes_per_second = 100e6;

  /// No less than nothing, as a clock may be set back, and no more than it can count.
  static duration passed(time_point from, time_point to) noexcept {
    if (to < from) return duration{0};
    const duration begin = from.time_since_epoch(), end = to.time_since_epoch();
    return begin < duration{0} && end > (duration::max)() + begin ? (duration::max)() : end - begin;
  }

  /// Whether so many saves and one more step would pass it.
  bool is_near_deadline(time_point now, int saves) const noexcept {
    if (!options_.deadline) return false;
    const auto needed = saves * options_.safety * expected_save() + std::chrono::duration<double>(tick_.get());
    return std::chrono::duration<double>(passed(now, *options_.deadline)) <= needed;
  }

  options_type options_;
  std::uint64_t counted_from_ = 0;                ///< the next multiple behind it is due
  std::uint64_t last_step_ = 0;
  std::optional<std::uint64_t> saved_step_;       ///< needs no save
  std::optional<std::uint64_t> returned_to_;      ///< the step that the run went back to, while it is there
  time_point last_save_;
  time_point tick_began_;
  bool has_ticked_ = false;
  bool has_saved_ = false;
  std::uint64_t bytes_ = 0;
  detail::recent_longest<duration> tick_;
  detail::recent_longest<duration> save_;
};

using cadence_options = basic_cadence_options<std::chrono::steady_clock>;
using cadence = basic_cadence<std::chrono::steady_clock>;

}  // namespace tidemark
#endif
