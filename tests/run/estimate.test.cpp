// SPDX-License-Identifier: BSL-1.0
// tests/run/estimate.test.cpp: costs and optimal intervals, against numbers computed by hand from the papers.
#include <tidemark/run/estimate.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

using namespace tidemark;
using namespace std::chrono_literals;
using doctest::Approx;

namespace {

/// 6 GB at 2 GB/s every 10 minutes.
estimate_options usual() { return {.state_bytes = 6'000'000'000, .bandwidth = 2e9, .interval = 600s}; }

template <class Change>
std::optional<error> failure_of(Change change) {
  auto options = usual();
  change(options);
  try {
    static_cast<void>(estimate(options));
  } catch (const error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Young's interval is sqrt(2 d M)") {
  CHECK(young_interval(300, 86400) == Approx(7200));       // 2 * 300 * 86400 = 51,840,000 = 7200^2
  CHECK(young_interval(2, 10000) == Approx(200));          // 40,000 = 200^2
  CHECK(young_interval(0, 86400) == 0);
}

TEST_CASE("Daly's interval has two more terms, less the save itself, and is M where a save takes 2 M or more") {
  // d = 300, M = 86400: x = 300 / 172800 = 1/576, sqrt(x) = 1/24: 7200 * (1 + 1/72 + 1/5184) - 300 = 7200 + 100 + 1.38889 - 300.
  CHECK(daly_interval(300, 86400) == Approx(7001.3888889).epsilon(1e-9));
  // d = 2, M = 10000: x = 1/10000, sqrt(x) = 1/100: 200 * (1 + 1/300 + 1/90000) - 2 = 200 + 0.666667 + 0.00222222 - 2.
  CHECK(daly_interval(2, 10000) == Approx(198.6688889).epsilon(1e-9));
  // d = 50, M = 100: x = 1/4: 100 * (1 + 1/6 + 1/36) - 50.
  CHECK(daly_interval(50, 100) == Approx(69.4444444).epsilon(1e-9));
  CHECK(daly_interval(200, 100) == 100);
  CHECK(daly_interval(5000, 100) == 100);
  CHECK(daly_interval(0, 100) == 0);
}

TEST_CASE("Daly's interval is where the expected time of a run is least, by the model of the paper") {
  // Time for one unit of work with failures after exponentially distributed times, restarts free: M (e^((t+d)/M) - 1) / t.
  for (const double failures : {1000.0, 3600.0, 86400.0}) {
    for (const double stall : {1.0, 10.0, 60.0}) {
      const auto cost = [&](double t) { return failures * std::expm1((t + stall) / failures) / t; };
      const double at = daly_interval(stall, failures);
      CHECK(cost(at) <= cost(at * 1.05));
      CHECK(cost(at) <= cost(at * 0.95));
      CHECK(cost(at) <= cost(young_interval(stall, failures)) * (1 + 1e-12));
    }
  }
}

TEST_CASE("a plan is judged by the time of a save, the stall and the disk, with the numbers in a sentence") {
  auto options = usual();
  options.run_time = 24h;
  options.mean_time_between_failures = 48h;
  const auto e = estimate(options);
  CHECK(e.save_seconds == Approx(3));
  CHECK(e.stall_seconds == Approx(3));
  CHECK(e.stall_fraction == Approx(0.005));
  CHECK(e.fits);
  CHECK(e.why == "It fits: a save takes 3 s, the loop waits 0.5 % of the time, and 24 GB of disk are needed.");
  CHECK(e.saves == 144);  // 86400 s of work, 597 s between two saves: 144.7
  CHECK(e.bytes_written == 144 * options.state_bytes);
  CHECK(e.disk_needed == 4 * options.state_bytes);
  CHECK(e.young_seconds == Approx(young_interval(3, 172800)));
  CHECK(e.daly_seconds == Approx(daly_interval(3, 172800)));
  CHECK(e.best_interval == Approx(e.daly_seconds + 3));
}

TEST_CASE("what does not fit says why, and what would") {
  auto slow = usual();
  slow.interval = 2s;
  CHECK_FALSE(estimate(slow).fits);
  CHECK(estimate(slow).why == "It does not fit: a save takes 3 s, longer than the interval of 2 s.");
  auto often = usual();
  often.interval = 30s;
  CHECK(estimate(often).why ==
        "It does not fit: the loop would wait 3 s of each 30 s, 10 %, and 5 % are allowed; an interval of 60 s would do.");
  often.interval = 60s;
  CHECK(estimate(often).fits);
  auto full = usual();
  full.disk_bytes = 23'999'999'999;
  CHECK(estimate(full).why == "It does not fit: 3 checkpoints and the one under way need 24 GB, and there are 24 GB.");
  full.disk_bytes = 24'000'000'000;
  CHECK(estimate(full).fits);
  full.keep_last = 4;
  CHECK_FALSE(estimate(full).fits);
}

TEST_CASE("replicas share the bandwidth; in the background the loop waits for the copy only, the save must still be done in time") {
  auto options = usual();
  options.replicas = 8;
  CHECK(estimate(options).save_seconds == Approx(24));
  CHECK(estimate(options).disk_needed == 32 * options.state_bytes);
  options.copy_bandwidth = 6e9;
  CHECK(estimate(options).save_seconds == Approx(24));
  CHECK(estimate(options).stall_seconds == Approx(1));
  options.interval = 23s;
  CHECK_FALSE(estimate(options).fits);
  options.interval = 24s;
  CHECK(estimate(options).fits);
}

TEST_CASE("the length of the run is a time, or steps of a time; without either nothing is said of it") {
  auto options = usual();
  options.steps = 172'800;
  options.step_time = 500ms;
  CHECK(estimate(options).saves == 144);
  CHECK(estimate(usual()).saves == 0);
  CHECK(estimate(usual()).bytes_written == 0);
  CHECK(estimate(usual()).young_seconds == 0);
  CHECK(estimate(usual()).daly_seconds == 0);
  CHECK(estimate(usual()).best_interval == 0);
  options.interval = 2s;  // a save never ends before the next is due
  CHECK(estimate(options).saves == 0);
}

TEST_CASE("numbers that cannot be meant are refused, each with a sentence that names it") {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  using seconds = estimate_options::seconds;
  const auto refuses = [](const char* name, auto change) {
    const auto failure = failure_of(change);
    REQUIRE_MESSAGE(failure, name);
    CHECK(failure->code() == errc::invalid_value);
    CHECK(std::string(failure->what()).find(name) != std::string::npos);
    CHECK_FALSE(failure->expected().empty());
  };
  refuses("state_bytes", [](auto& o) { o.state_bytes = 0; });
  refuses("replicas", [](auto& o) { o.replicas = 0; });
  refuses("keep_last", [](auto& o) { o.keep_last = 0; });
  for (const double bad : {0.0, -1.0, 0.5, not_a_number, endless, -endless}) {
    refuses("bandwidth", [&](auto& o) { o.bandwidth = bad; });
    if (bad != 0) refuses("copy_bandwidth", [&](auto& o) { o.copy_bandwidth = bad; });
  }
  for (const double bad : {0.0, -0.1, 1.1, not_a_number, endless}) refuses("allowed_stall", [&](auto& o) { o.allowed_stall = bad; });
  refuses("interval", [](auto& o) { o.interval = 0s; });
  for (const double bad : {-1.0, not_a_number, endless, -endless}) {
    refuses("interval", [&](auto& o) { o.interval = seconds(bad); });
    refuses("mean_time_between_failures", [&](auto& o) { o.mean_time_between_failures = seconds(bad); });
    refuses("run_time", [&](auto& o) { o.run_time = seconds(bad); });
    refuses("step_time", [&](auto& o) { o.step_time = seconds(bad); });
  }
  refuses("steps", [](auto& o) { o.steps = 5; });
  refuses("step_time", [](auto& o) { o.step_time = 1s; });
  refuses("run_time and steps", [](auto& o) { o.run_time = 1h, o.steps = 5, o.step_time = 1s; });
  CHECK_FALSE(failure_of([](auto&) {}));
}

TEST_CASE("sums beyond 64 bits are refused, never wrapped") {
  const auto limits = [](auto change) {
    const auto failure = failure_of(change);
    REQUIRE(failure);
    CHECK(failure->code() == errc::limit);
  };
  limits([](auto& o) { o.replicas = UINT64_MAX; });
  limits([](auto& o) { o.keep_last = UINT64_MAX; });
  limits([](auto& o) { o.keep_last = UINT64_MAX / 1000; });
  limits([](auto& o) { o.run_time = estimate_options::seconds(1e15); });
}
