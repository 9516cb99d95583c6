// SPDX-License-Identifier: BSL-1.0
// run/estimate.ipp: the definitions of estimate.hpp (floor: run).
#ifndef TIDEMARK_RUN_ESTIMATE_IPP
#define TIDEMARK_RUN_ESTIMATE_IPP

#include <tidemark/run/estimate.hpp>

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/linkage.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace tidemark {

TIDEMARK_DETAIL_INLINE double young_interval(double stall, double failures) noexcept { return std::sqrt(2 * stall * failures); }

TIDEMARK_DETAIL_INLINE double daly_interval(double stall, double failures) noexcept {
  if (stall >= 2 * failures) return failures;
  const double x = stall / (2 * failures);
  return std::sqrt(2 * stall * failures) * (1 + std::sqrt(x) / 3 + x / 9) - stall;
}

}  // namespace tidemark

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string rounded(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

TIDEMARK_DETAIL_INLINE std::string seconds_text(double seconds) { return rounded(seconds < 100 ? "%.3g s" : "%.0f s", seconds); }

TIDEMARK_DETAIL_INLINE std::string percent_text(double fraction) { return rounded("%.3g %%", 100 * fraction); }

TIDEMARK_DETAIL_INLINE std::string size_text(std::uint64_t bytes) {
  return bytes < 1'000'000 ? std::to_string(bytes) + " bytes" : rounded(bytes < 1'000'000'000 ? "%.3g MB" : "%.6g GB",
                                                                        static_cast<double>(bytes) / (bytes < 1'000'000'000 ? 1e6 : 1e9));
}

TIDEMARK_DETAIL_INLINE void require_usable(const estimate_options& o) {
  const auto require = [](bool holds, const char* problem, const char* expected, double found) {
    if (holds) return;
    throw error({.code = errc::invalid_value,
                 .action = "estimate the cost of saving",
                 .problem = problem,
                 .expected = expected,
                 .found = rounded("%g", found)});
  };
  constexpr double longest = 1e15;  // more than the age of the dinosaurs; keeps all sums finite
  const auto is_time = [](std::chrono::duration<double> d) { return d.count() >= 0 && d.count() <= longest; };
  require(o.state_bytes != 0, "state_bytes is not given", "plan(state).file_bytes", 0);
  require(o.bandwidth >= 1 && o.bandwidth <= 1e18, "bandwidth is no speed", "bytes a second, as measure_bandwidth gives them", o.bandwidth);
  require(is_time(o.interval) && o.interval.count() > 0, "interval is no time", "seconds between two saves", o.interval.count());
  require(o.allowed_stall > 0 && o.allowed_stall <= 1, "allowed_stall is no part of the time", "0.05 for 5 %, up to 1", o.allowed_stall);
  require(o.replicas != 0, "replicas is 0, so that nothing is written", "at least 1", 0);
  require(o.copy_bandwidth == 0 || (o.copy_bandwidth >= 1 && o.copy_bandwidth <= 1e18), "copy_bandwidth is no speed",
          "bytes a second of a copy in memory, or 0", o.copy_bandwidth);
  require(o.keep_last != 0, "keep_last is 0, so that no checkpoint stays", "at least 1", 0);
  require(is_time(o.mean_time_between_failures), "mean_time_between_failures is no time", "seconds, or 0",
          o.mean_time_between_failures.count());
  require(is_time(o.run_time), "run_time is no time", "seconds, or 0", o.run_time.count());
  require(is_time(o.step_time), "step_time is no time", "seconds, or 0", o.step_time.count());
  require(o.run_time.count() == 0 || o.steps == 0, "run_time and steps both say how long the run is", "one of them", o.run_time.count());
  require((o.steps == 0) == (o.step_time.count() == 0), "steps and step_time say how long the run is only together", "both or none",
          o.steps == 0 ? o.step_time.count() : static_cast<double>(o.steps));
}

TIDEMARK_DETAIL_INLINE std::uint64_t product_of_bytes(std::uint64_t a, std::uint64_t b, const char* what) {
  bool fits = true;
  const std::uint64_t product = multiply(a, b, fits);
  if (fits) return product;
  throw error({.code = errc::limit,
               .action = "estimate the cost of saving",
               .problem = std::string(what) + " would be more than 2^64 bytes"});
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE save_estimate estimate(const estimate_options& o) {
  detail::require_usable(o);
  save_estimate e;
  const std::uint64_t bytes = detail::product_of_bytes(o.state_bytes, o.replicas, "a save");
  const double interval = o.interval.count();
  e.save_seconds = static_cast<double>(bytes) / o.bandwidth;
  e.stall_seconds = o.copy_bandwidth == 0 ? e.save_seconds : static_cast<double>(o.state_bytes) / o.copy_bandwidth;
  e.stall_fraction = e.stall_seconds / interval;
  if (o.keep_last == UINT64_MAX) detail::product_of_bytes(UINT64_MAX, 2, "what stays");
  e.disk_needed = detail::product_of_bytes(bytes, o.keep_last + 1, "what stays");

  const double run_time = o.steps == 0 ? o.run_time.count() : static_cast<double>(o.steps) * o.step_time.count();
  // What the loop waits for saves is no run time: the work between two of them is the interval without the stall.
  const double work = interval - e.stall_seconds;
  if (run_time > 0 && work > 0) {
    const double saves = std::floor(run_time / work);
    e.saves = saves < 1e18 ? static_cast<std::uint64_t>(saves) : std::uint64_t{1'000'000'000'000'000'000};
    e.bytes_written = detail::product_of_bytes(bytes, e.saves, "what the run writes");
  }
  if (o.mean_time_between_failures.count() > 0) {
    e.young_seconds = young_interval(e.stall_seconds, o.mean_time_between_failures.count());
    e.daly_seconds = daly_interval(e.stall_seconds, o.mean_time_between_failures.count());
    e.best_interval = e.daly_seconds + e.stall_seconds;
  }

  using detail::percent_text, detail::seconds_text, detail::size_text;
  if (e.save_seconds > interval) {
    e.why = "It does not fit: a save takes " + seconds_text(e.save_seconds) + ", longer than the interval of " + seconds_text(interval) +
            '.';
  } else if (e.stall_fraction > o.allowed_stall) {
    e.why = "It does not fit: the loop would wait " + seconds_text(e.stall_seconds) + " of each " + seconds_text(interval) + ", " +
            percent_text(e.stall_fraction) + ", and " + percent_text(o.allowed_stall) + " are allowed; an interval of " +
            seconds_text(e.stall_seconds / o.allowed_stall) + " would do.";
  } else if (o.disk_bytes != 0 && e.disk_needed > o.disk_bytes) {
    e.why = "It does not fit: " + std::to_string(o.keep_last) + " checkpoints and the one under way need " +
            size_text(e.disk_needed) + ", and there are " + size_text(o.disk_bytes) + '.';
  } else {
    e.fits = true;
    e.why = "It fits: a save takes " + seconds_text(e.save_seconds) + ", the loop waits " + percent_text(e.stall_fraction) +
            " of the time, and " + size_text(e.disk_needed) + " of disk are needed.";
  }
  return e;
}

}  // namespace tidemark
#endif
