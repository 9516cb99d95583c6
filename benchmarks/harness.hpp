// SPDX-License-Identifier: BSL-1.0
// benchmarks/harness.hpp: rows timed in shuffled rounds, and bars that are judged on their minima.
#ifndef TIDEMARK_BENCHMARKS_HARNESS_HPP
#define TIDEMARK_BENCHMARKS_HARNESS_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <time.h>

namespace bench {

/// Of all threads of this process, seconds.
inline double processor_time() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Makes the compiler believe that `value` is read and written here.
template <class T>
void keep(T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Rows that compete in one run. Each round runs every row once, in an order of its own, so that whatever else the machine does meets
/// all of them alike. A bar compares minima: noise only ever adds.
class race {
 public:
  /// "431.207 ms", "7.108 us".
  static std::string time(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 1e-3 ? "%.3f us" : "%.3f ms", seconds * (seconds < 1e-3 ? 1e6 : 1e3));
    return text;
  }

  explicit race(std::string title) : title_(std::move(title)) {}

  /// `body` is what the clock sees, `prepare` comes before it. What `body` returns is destroyed after the clock has stopped; a `double`
  /// is taken for the seconds that it measured itself, and is divided by `repeats` as the clock's are.
  template <class Body, class Prepare>
  void row(std::string name, Body body, Prepare prepare, int repeats = 1) {
    rows_.push_back({std::move(name), prepare, [body, repeats]() mutable {
                       const sample s = timed(body);
                       return sample{s.elapsed / repeats, s.processor / repeats};
                     }, {}, {}});
  }
  template <class Body>
  void row(std::string name, Body body) {
    row(std::move(name), std::move(body), [] {});
  }

  /// A row too short for a clock: `once` 64 times, which still fits between two interruptions. Its times are those of one.
  template <class Once>
  void short_row(std::string name, Once once) {
    constexpr int repeats = 64;
    const auto all = [once] {
      for (int i = 0; i < repeats; ++i) once();
    };
    row(std::move(name), all, [] {}, repeats);
  }
  static constexpr int short_rounds = 20;  ///< for each round of long rows

  /// One round to warm up, which does not count, then `rounds`. The last column is processor time, of all threads and of the system on
  /// their behalf: where it is far from the elapsed time of a row that does not wait, the machine was busy with something else.
  void run(int rounds) {
    std::printf("-- %s (%d rounds)\n", title_.c_str(), rounds);
    std::mt19937 shuffle(20261130);
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int round = -1; round < rounds; ++round) {
      std::shuffle(order.begin(), order.end(), shuffle);
      for (const std::size_t i : order) {
        rows_[i].prepare();
        const sample s = rows_[i].run();
        if (round < 0) continue;
        rows_[i].seconds.push_back(s.elapsed);
        rows_[i].processor_seconds.push_back(s.processor);
      }
    }
    for (const entry& r : rows_) {
      const double processor = *std::min_element(r.processor_seconds.begin(), r.processor_seconds.end());
      std::printf("   %-42s min %11s  median %11s  cpu %11s\n", r.name.c_str(), time(minimum(r.name)).c_str(), time(median(r.name)).c_str(),
                  time(processor).c_str());
    }
    std::fflush(stdout);
  }

  /// Seconds.
  double minimum(std::string_view name) const {
    const auto& all = find(name).seconds;
    return *std::min_element(all.begin(), all.end());
  }
  double median(std::string_view name) const {
    auto all = find(name).seconds;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }
  bool has(std::string_view name) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const entry& r) { return r.name == name; });
  }

  /// How many times faster `row` is than `baseline`.
  double speedup(std::string_view row, std::string_view baseline) const { return minimum(baseline) / minimum(row); }

  /// How far apart the minima of two equal rows are: differences below that mean nothing.
  std::string spread(std::string_view row, std::string_view again) const {
    const double a = minimum(row);
    const double b = minimum(again);
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f %% apart", (std::max(a, b) / std::min(a, b) - 1) * 100);
    return '"' + std::string(row) + "\" twice: " + time(a) + " and " + time(b) + ", " + percent;
  }

 private:
  struct sample {
    double elapsed = 0, processor = 0;
  };
  struct entry {
    std::string name;
    std::function<void()> prepare;
    std::function<sample()> run;
    std::vector<double> seconds;
    std::vector<double> processor_seconds;
  };

  template <class Body>
  static sample timed(Body& body) {
    using clock = std::chrono::steady_clock;
    using seconds = std::chrono::duration<double>;
    using result = std::invoke_result_t<Body&>;
    const double processor = processor_time();
    const auto start = clock::now();
    const auto taken = [&] { return sample{seconds(clock::now() - start).count(), processor_time() - processor}; };
    if constexpr (std::is_same_v<result, double>) {
      return {body(), 0};
    } else if constexpr (std::is_void_v<result>) {
      body();
      return taken();
    } else {
      auto kept = body();
      const sample s = taken();
      keep(kept);
      return s;
    }
  }

  const entry& find(std::string_view name) const {
    for (const entry& r : rows_) {
      if (r.name == name) return r;
    }
    throw std::logic_error("no row " + std::string(name));
  }

  std::string title_;
  std::vector<entry> rows_;
};

enum class side { at_least, at_most };

/// `MET name value bar` or `SHORT name value bar`, on a line of its own, and what it should be read beside.
inline void judge(const std::string& name, double value, side is, double bar, const std::string& note = "") {
  const bool is_met = is == side::at_least ? value >= bar : value <= bar;
  std::printf("%s %s %.3f %g  # %s%s%s\n", is_met ? "MET" : "SHORT", name.c_str(), value, bar, is == side::at_least ? "at least" : "at most",
              note.empty() ? "" : "; ", note.c_str());
  std::fflush(stdout);
}

inline void skip(const std::string& name, const std::string& why) {
  std::printf("SKIPPED %s  # %s\n", name.c_str(), why.c_str());
  std::fflush(stdout);
}

/// Whether this program was built for the machine at hand: xxHash is twice as fast with AVX2, so some bars differ.
#if defined(__AVX2__)
inline constexpr bool is_native = true;
#else
inline constexpr bool is_native = false;
#endif

}  // namespace bench
#endif
