// SPDX-License-Identifier: BSL-1.0
// tests/run/retention.test.cpp: what a run keeps: never too little, nothing unreadable or pinned goes, however often asked.
#include <tidemark/core/float_bits.hpp>
#include <tidemark/run/retention.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

using facts = std::vector<checkpoint_facts>;
using sequences = std::set<std::uint64_t>;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The rules again, as one question about one checkpoint, answered by counting the others.
bool is_kept(const facts& all, const retention& keep, const checkpoint_facts& c) {
  if (!c.is_valid || c.is_pinned) return true;
  const auto count = [&](auto holds) {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& o) { return o.is_valid && holds(o); }));
  };
  if (count([&](const auto& o) { return o.sequence > c.sequence; }) < keep.keep_last) return true;
  if (keep.keep_every != 0) {
    const auto end = [&](std::uint64_t step) { return (step + keep.keep_every - 1) / keep.keep_every * keep.keep_every; };
    const auto beats = [&](const auto& o) {
      return end(o.step) == end(c.step) && (o.step > c.step || (o.step == c.step && o.sequence > c.sequence));
    };
    if (count(beats) == 0) return true;
  }
  for (const auto& rule : keep.keep_best) {
    const auto value = [&](const auto& o) {
      return o.metrics.empty() || o.metrics[0].first != rule.metric ? nan_value : o.metrics[0].second;
    };
    const double mine = value(c);
    const auto beats = [&](const auto& o) {
      const double its = value(o);
      return (rule.is == best::lowest ? its < mine : its > mine) || (its == mine && o.sequence < c.sequence);
    };
    if (mine == mine && count(beats) < rule.n) return true;
  }
  for (std::size_t level = 0; level < keep.keep_geometric; ++level) {
    const auto bucket = [&](const auto& o) { return o.sequence / (std::uint64_t{1} << level); };
    if (count([&](const auto& o) { return bucket(o) == bucket(c) && o.sequence < c.sequence; }) != 0) continue;
    std::set<std::uint64_t> newer;
    for (const auto& o : all) {
      if (o.is_valid && bucket(o) > bucket(c)) newer.insert(bucket(o));
    }
    if (newer.size() < 2) return true;
  }
  return false;
}

std::set<std::uint64_t> kept_of(const facts& all, const retention& keep) {
  std::set<std::uint64_t> kept;
  for (const auto& c : all) kept.insert(c.sequence);
  for (const std::size_t i : expired(all, keep)) CHECK(kept.erase(all[i].sequence) == 1);
  return kept;
}

void prune(facts& all, const retention& keep) {
  auto gone = expired(all, keep);
  std::sort(gone.rbegin(), gone.rend());
  for (const std::size_t i : gone) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
}

facts of_steps(const std::vector<std::uint64_t>& steps) {
  facts all;
  for (const auto step : steps) all.push_back({.sequence = all.size() + 1, .step = step});
  return all;
}

}  // namespace

TEST_CASE("every small set of checkpoints is judged by the rules, whatever is valid, pinned, measured, in any order of listing") {
  const std::vector<retention> options{
      {.keep_last = 1},
      {.keep_last = 2},
      {.keep_last = 1, .keep_every = 10},
      {.keep_last = 1, .keep_best = {{"loss"}}},
      {.keep_last = 1, .keep_best = {{"loss", best::highest, 2}}},
      {.keep_last = 1, .keep_geometric = 2},
      {.keep_last = 2, .keep_every = 7, .keep_best = {{"loss"}, {"other"}}, .keep_geometric = 3},
  };
  const std::vector<std::vector<std::uint64_t>> step_lists{{10, 20, 30, 40}, {10, 20, 10, 15}, {0, 0, 3, 12}, {40, 30, 20, 10}};
  const std::vector<std::vector<std::size_t>> orders{{0, 1, 2, 3}, {2, 0, 3, 1}};
  std::size_t judged = 0, wrong = 0, deleted = 0;
  for (std::size_t size = 0; size <= 4; ++size) {
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < size; ++i) combinations *= 12;
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      const auto& steps = step_lists[(combination / 5) % step_lists.size()];
      const auto& order = orders[combination % 2];
      facts all(size);
      std::size_t rest = combination;
      for (std::size_t i = 0; i < size; ++i) {
        auto& c = all[i];
        const std::size_t at = size == 4 ? order[i] : i;
        c.sequence = 5 + at + (at > 1 ? 2 : 0);  // with a gap
        c.step = steps[at];
        c.is_valid = rest % 2 == 0;
        c.is_pinned = rest / 2 % 2 == 1;
        const std::size_t metric = rest / 4 % 3;
        if (metric == 0) c.metrics = {{combination % 2 == 0 ? "loss" : "other", nan_value}};
        if (metric > 0) c.metrics = {{"loss", static_cast<double>(metric)}};
        rest /= 12;
      }
      for (const auto& keep : options) {
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < size; ++i) {
          if (!is_kept(all, keep, all[i])) expected.push_back(i);
        }
        std::sort(expected.begin(), expected.end(), [&](auto a, auto b) { return all[a].sequence < all[b].sequence; });
        const auto found = expired(all, keep);
        ++judged;
        deleted += found.size();
        wrong += found != expected;
      }
    }
  }
  CHECK(judged > 100'000);
  CHECK(deleted > 10'000);
  CHECK(wrong == 0);
}

TEST_CASE("random histories of any length are judged as the rules say, and enough valid ones always remain") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    facts all;
    std::uint64_t sequence = random() % 100;
    const std::size_t size = random() % 40;
    for (std::size_t i = 0; i < size; ++i) {
      sequence += 1 + random() % 3;
      all.push_back({.sequence = sequence, .step = random() % 60, .is_valid = random() % 5 != 0, .is_pinned = random() % 7 == 0});
      const double loss = random() % 6 == 0 ? nan_value : random() % 9 == 0 ? infinity : static_cast<double>(random() % 10);
      if (random() % 3 != 0) all.back().metrics = {{"loss", loss}};
    }
    std::shuffle(all.begin(), all.end(), random);
    retention keep{.keep_last = 1 + random() % 5, .keep_every = random() % 20, .keep_geometric = random() % 8};
    if (random() % 2 != 0) keep.keep_best = {{"loss", random() % 2 != 0 ? best::highest : best::lowest, random() % 4}};
    const auto kept = kept_of(all, keep);
    std::size_t valid = 0, valid_kept = 0;
    for (const auto& c : all) {
      CHECK(kept.contains(c.sequence) == is_kept(all, keep, c));
      valid += c.is_valid;
      valid_kept += c.is_valid && kept.contains(c.sequence);
      if (!c.is_valid || c.is_pinned) CHECK(kept.contains(c.sequence));
    }
    CHECK(valid_kept >= std::min(keep.keep_last, valid));
    prune(all, keep);
    CHECK(expired(all, keep).empty());  // asked again, nothing more goes
  }
}

TEST_CASE("asked after every save it keeps what one look at the whole history would keep, so nothing is wanted that was deleted") {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    retention keep{.keep_last = 1 + random() % 3, .keep_every = random() % 15, .keep_geometric = random() % 10};
    if (round % 2 == 0) keep.keep_best = {{"loss", best::lowest, 1 + random() % 3}, {"loss", best::highest}};
    facts pruned, history;
    std::uint64_t step = 0;
    for (std::uint64_t sequence = 1; sequence <= 150; sequence += random() % 10 == 0 ? 2 : 1) {
      step = random() % 20 == 0 ? step / 2 : step + random() % 4;  // now and then a rerun from an older step
      const double loss = static_cast<double>(random() % 30);
      const checkpoint_facts c{.sequence = sequence, .step = step, .is_valid = random() % 12 != 0, .metrics = {{"loss", loss}}};
      pruned.push_back(c);
      history.push_back(c);
      prune(pruned, keep);
      CHECK(kept_of(pruned, keep) == kept_of(history, keep));
    }
  }
}

TEST_CASE("keep_geometric over 10,000 saves: one checkpoint of each age 1, 2 to 3, 4 to 7, ..., and never more than it says") {
  for (const std::size_t ages : {1u, 2u, 5u, 10u, 13u, 64u, 1000u}) {
    const retention keep{.keep_last = 1, .keep_geometric = ages};
    facts all;
    for (std::uint64_t sequence = 0; sequence < 10'000; ++sequence) {
      all.push_back({.sequence = sequence, .step = sequence * 100});
      prune(all, keep);
      REQUIRE(all.back().sequence == sequence);
      REQUIRE(all.size() <= ages + 1);
      REQUIRE(all.size() <= 15);
      for (std::size_t k = 0; k < ages && (std::uint64_t{2} << k) <= sequence; ++k) {
        const std::uint64_t youngest = std::uint64_t{1} << k;
        const auto is_of_age = [&](const auto& c) { return sequence - c.sequence >= youngest && sequence - c.sequence < 2 * youngest; };
        REQUIRE(std::count_if(all.begin(), all.end(), is_of_age) == 1);
      }
    }
    if (ages >= 13) CHECK(9'999 - all.front().sequence >= 4096);
  }
}

TEST_CASE("keep_geometric with failed saves, unreadable checkpoints and sequences up to the last") {
  std::mt19937 random(3);
  const retention keep{.keep_last = 1, .keep_geometric = 12};
  facts all;
  std::uint64_t sequence = 1;
  for (int save = 0; save < 10'000; ++save) {
    sequence += 1 + random() % 3;
    all.push_back({.sequence = sequence});
    prune(all, keep);
    REQUIRE(all.size() <= 13);
    if (save > 6000) REQUIRE(sequence - all.front().sequence >= 2040);
  }
  const std::uint64_t last = (std::numeric_limits<std::uint64_t>::max)();
  facts end;
  for (std::uint64_t i = 0; i < 20; ++i) end.push_back({.sequence = last - 19 + i});
  CHECK(kept_of(end, {.keep_last = 1, .keep_geometric = 64}).size() >= 4);
  const facts apart{{.sequence = 0}, {.sequence = last / 2 + 1}, {.sequence = last / 2 + last / 4}, {.sequence = last}};
  CHECK(kept_of(apart, {.keep_last = 1, .keep_geometric = 64}).contains(0));
}

TEST_CASE("the order is that of saving: a rerun from an older step keeps its own checkpoints") {
  auto all = of_steps({100, 200, 300, 400, 500});
  all.push_back({.sequence = 6, .step = 150});
  CHECK(kept_of(all, {.keep_last = 1}) == sequences{6});
  all.push_back({.sequence = 7, .step = 200});
  CHECK(kept_of(all, {.keep_last = 2}) == sequences{6, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_every = 200}) == sequences{4, 5, 7});  // 400 stays, 200 is the rerun's
}

TEST_CASE("keep_every keeps multiples, and where saves miss these the nearest before; step 0 is one") {
  CHECK(kept_of(of_steps({0, 50, 100, 150, 200, 250, 260}), {.keep_last = 1, .keep_every = 100}) == sequences{1, 3, 5, 7});
  CHECK(kept_of(of_steps({33, 99, 101, 140, 180, 230, 290, 310}), {.keep_last = 1, .keep_every = 100}) == sequences{2, 5, 7, 8});
  const std::uint64_t last = (std::numeric_limits<std::uint64_t>::max)();
  CHECK(kept_of(of_steps({last - 1, last, last}), {.keep_last = 1, .keep_every = last}) == sequences{3});
  CHECK(kept_of(of_steps({1, 2, 3}), {.keep_last = 1, .keep_every = 1}) == sequences{1, 2, 3});
}

TEST_CASE("keep_best keeps the best n, the earlier of equals, never a NaN, an unreadable one, or one without the metric") {
  auto all = of_steps({1, 2, 3, 4, 5, 6, 7});
  const std::vector<double> losses{3, nan_value, 1, 1, -infinity, 2, 9};
  for (std::size_t i = 0; i < losses.size(); ++i) all[i].metrics = {{"accuracy", 0.5}, {"loss", losses[i]}};
  all[4].is_valid = false;
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"loss"}}}) == sequences{3, 5, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"loss", best::lowest, 3}}}) == sequences{3, 4, 5, 6, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"loss", best::highest, 2}}}) == sequences{1, 5, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"accuracy"}}}) == sequences{1, 5, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"loss"}, {"accuracy", best::highest}}}) == sequences{1, 3, 5, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"missing"}}}) == sequences{5, 7});
  CHECK(kept_of(all, {.keep_last = 1, .keep_best = {{"loss", best::lowest, 0}}}) == sequences{5, 7});
}

TEST_CASE("a NaN is known by its bits, of either sign and any payload") {
  for (const double number : {0.0, -0.0, 1.0, -1e308, 5e-324, infinity, -infinity}) CHECK_FALSE(detail::is_nan(number));
  for (const std::uint64_t bits : {0x7FF0000000000001u, 0x7FF8000000000000u, 0xFFF0000000000001u, 0xFFFFFFFFFFFFFFFFu}) {
    CHECK(detail::is_nan(std::bit_cast<double>(bits)));
  }
}

TEST_CASE("options that keep nothing are refused with a sentence") {
  const auto message_of = [](const retention& keep) -> std::string {
    try {
      static_cast<void>(expired({}, keep));
    } catch (const error& e) {
      CHECK(e.code() == errc::invalid_value);
      return e.what();
    }
    return "";
  };
  CHECK(message_of({.keep_last = 0}).find("keep_last is 0") != std::string::npos);
  CHECK(message_of({.keep_best = {{""}}}).find("names no metric") != std::string::npos);
  CHECK(message_of({}) == "");
}
