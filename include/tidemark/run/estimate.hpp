// SPDX-License-Identifier: BSL-1.0
// run/estimate.hpp: what saving so often costs in time and disk, whether it fits, and which interval is best (floor: run).
#ifndef TIDEMARK_RUN_ESTIMATE_HPP
#define TIDEMARK_RUN_ESTIMATE_HPP

#include <tidemark/core/error.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace tidemark {

/// What is planned. Times in seconds, or any std::chrono duration; what is left at 0 is not known, and not judged.
struct estimate_options {
  using seconds = std::chrono::duration<double>;

  std::uint64_t state_bytes = 0;           ///< of one save, `plan(state).file_bytes`; needed
  double bandwidth = 0;                    ///< bytes a second that the disk takes and syncs, `measure_bandwidth`; needed
  seconds interval{0};                     ///< from the start of a save to the start of the next; needed
  double allowed_stall = 0.05;             ///< the part of the time that the loop may wait for saves, up to 1
  std::uint64_t replicas = 1;              ///< processes or copies that write as much through the same bandwidth
  double copy_bandwidth = 0;               ///< bytes a second of a copy in memory, where only that is waited for: background saves
  std::uint64_t keep_last = 3;             ///< checkpoints that stay
  std::uint64_t disk_bytes = 0;            ///< that may be used
  seconds mean_time_between_failures{0};   ///< of the whole run: with n machines an n-th of that of one
  seconds run_time{0};                     ///< without saves, or:
  std::uint64_t steps = 0;                 ///< so many steps
  seconds step_time{0};                    ///< of so long
};

struct save_estimate {
  double save_seconds = 0;         ///< until a save is durable
  double stall_seconds = 0;        ///< that the loop waits for it
  double stall_fraction = 0;       ///< of the interval
  bool fits = false;               ///< all that is known
  std::string why;                 ///< one sentence, with the numbers
  std::uint64_t saves = 0;         ///< in the run; 0: its length is not known
  std::uint64_t bytes_written = 0; ///< by them
  std::uint64_t disk_needed = 0;   ///< for those that stay and the one under way
  double young_seconds = 0;        ///< of work between two saves by Young's formula; 0: no failures are known
  double daly_seconds = 0;         ///< the same by Daly's, which holds for short times between failures too
  double best_interval = 0;        ///< from start to start: `daly_seconds` and the stall
};

/// Young's optimum of the work between two saves: sqrt(2 d M), for saves of `stall` seconds and a mean time of `failures` seconds.
/// Source: J. W. Young, "A first order approximation to the optimum checkpoint interval", Communications of the ACM 17 (1974), 530-531.
double young_interval(double stall, double failures) noexcept;

/// Daly's optimum, of higher order: with x = d / 2M, sqrt(2 d M) (1 + sqrt(x) / 3 + x / 9) - d where d < 2M, else M.
/// Source: J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future Generation Computer Systems
/// 22 (2006), 303-312, equation 37.
double daly_interval(double stall, double failures) noexcept;

namespace detail {

std::string rounded(const char* format, double value);

std::string seconds_text(double seconds);
std::string percent_text(double fraction);
std::string size_text(std::uint64_t bytes);

/// Throws unless the numbers can be meant.
void require_usable(const estimate_options& o);

std::uint64_t product_of_bytes(std::uint64_t a, std::uint64_t b, const char* what);

}  // namespace detail

/// What the plan costs and whether it fits: `tidemark::estimate({.state_bytes = ..., .bandwidth = ..., .interval = 600s})`.
///
/// A save takes state_bytes * replicas / bandwidth; failures are taken as independent and restarts as free. Throws `error`
/// (`invalid_value`)
/// with a sentence for numbers that cannot be meant, `limit` for more than 2^64 bytes.
save_estimate estimate(const estimate_options& o);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/estimate.ipp>
#endif
#endif
