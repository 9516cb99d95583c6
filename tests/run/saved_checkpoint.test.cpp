// SPDX-License-Identifier: BSL-1.0
// run/saved_checkpoint.hpp: step and metrics travel in a checkpoint's metadata.
#include <tidemark/run/saved_checkpoint.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <clocale>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace detail = tidemark::detail;

namespace {

const std::vector<double> numbers{0.0, -0.0, 1.0, -1.5, 0.1, 1e-3, 123456789.123456789, 1e300, 5e-324, std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(),
                                  std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void check_all_numbers() {
  for (const double value : numbers) {
    double back = 42;
    CAPTURE(value);
    REQUIRE(detail::parse_number(detail::shortest_text(value), back));
    CHECK(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value));
  }
}

}  // namespace

TEST_CASE("a metric comes back bit for bit") {
  check_all_numbers();
  double nan = 0;
  REQUIRE(detail::parse_number(detail::shortest_text(std::numeric_limits<double>::quiet_NaN()), nan));
  CHECK(nan != nan);
}

TEST_CASE("a metric comes back in a locale with a decimal comma") {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool has_one = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) has_one = has_one || std::setlocale(LC_NUMERIC, name) != nullptr;
  if (!has_one) MESSAGE("no such locale on this machine");
  check_all_numbers();
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST_CASE("metadata hold step, sequence, metrics and what the program adds; metrics are found again") {
  const tidemark::metric_list metrics{{"loss", 0.25}, {"val.accuracy", 1e-9}, {"", 3}};
  const auto all = detail::metadata_of({.sequence = 4, .step = 12}, metrics, {{"commit", "1f0c"}, {"metric.text", "no number"}, {"metricless", "1"}, {"metric.space", "1 "}, {"metric.none", ""}});
  CHECK(all.size() == 10);
  CHECK(all[0] == std::pair<std::string, std::string>{"step", "12"});
  CHECK(all[1] == std::pair<std::string, std::string>{"sequence", "4"});
  CHECK(detail::metrics_in(all) == metrics);
}
