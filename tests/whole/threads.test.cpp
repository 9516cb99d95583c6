// SPDX-License-Identifier: BSL-1.0
// whole/threads.test.cpp: one constant state saved by several threads at once, and read meanwhile; the thread sanitizer watches.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <variant>
#include <vector>

using namespace tidemark;

namespace {

struct part {
  std::vector<float> weight = std::vector<float>(100, 1.f);
  std::optional<float> bias = 2.f;
  friend bool operator==(const part&, const part&) = default;
};
struct row {
  std::int32_t id = 1;
  std::string label = "row";
  friend bool operator==(const row&, const row&) = default;
};
/// A class that hands out its state: save calls `snapshot`, which is const.
class counter {
 public:
  static constexpr std::string_view checkpoint_name = "counter";
  std::uint64_t snapshot() const { return count_; }
  void restore(std::uint64_t count) { count_ = count; }
  friend bool operator==(const counter&, const counter&) = default;

 private:
  std::uint64_t count_ = 5;
};
struct everything {
  std::uint64_t step = 3;
  std::vector<double> large = std::vector<double>(700'000, 0.5);
  std::vector<part> parts = std::vector<part>(20);
  std::vector<row> rows = std::vector<row>(3000);
  std::map<std::string, std::vector<float>> dict{{"a.b", {1}}, {"c", {2, 3}}};
  std::variant<int, std::string> choice = std::string("c");
  std::vector<bool> flags = std::vector<bool>(1000, true);
  std::mt19937_64 rng{7};
  std::normal_distribution<double> noise;
  shuffled_sampler order{1000, 3};
  counter count;
  friend bool operator==(const everything&, const everything&) = default;
};

/// Runs `f(i)` in `count` threads that all begin at once.
template <class F>
void at_once(unsigned count, F f) {
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      f(i);
    });
  }
  for (auto& t : threads) t.join();
}

/// A type of its own for each `N`, so that what the library keeps for a type is made for the first time by threads.
template <int N>
struct unseen {
  std::vector<float> values{1, 2, static_cast<float>(N)};
  std::map<std::string, part> parts{{"p", {}}};
  friend bool operator==(const unseen&, const unseen&) = default;
};

template <int N>
void first_save_by_threads() {
  const unseen<N> state;
  std::vector<memory> saves(4);
  std::vector<char> is_same(4);
  at_once(4, [&](unsigned i) {
    save(state, saves[i]);
    is_same[i] = load<unseen<N>>(saves[i]) == state;
  });
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(is_same[i]);
    CHECK(std::ranges::equal(saves[i].bytes(), saves[0].bytes()));
  }
}

}  // namespace

TEST_CASE("a constant state is saved by several threads at once, each to a sink of its own, and all write the same") {
  const everything state;
  memory alone;
  save(state, alone);
  std::vector<memory> saves(4);
  at_once(4, [&](unsigned i) { for (int round = 0; round < 3; ++round) save(state, saves[i]); });
  for (const memory& m : saves) CHECK(std::ranges::equal(m.bytes(), alone.bytes()));
}

TEST_CASE("a constant state is read by some threads while others save it") {
  const everything state;
  std::vector<memory> saves(2);
  std::vector<double> sums(4);
  at_once(4, [&](unsigned i) {
    if (i < 2) save(state, saves[i]);
    for (int round = 0; round < 3; ++round) {
      for (const double d : state.large) sums[i] += d;
      for (const part& p : state.parts) sums[i] += static_cast<double>(p.weight.front() + p.bias.value_or(0));
      sums[i] += static_cast<double>(state.dict.at("a.b")[0]) + static_cast<double>(state.rows.size()) + (state.order.cursor() == 0 ? 1 : 0);
    }
  });
  for (const double sum : sums) CHECK(sum == sums[0]);
  CHECK(load<everything>(saves[0]) == state);
  CHECK(std::ranges::equal(saves[1].bytes(), saves[0].bytes()));
}

TEST_CASE("one archive is loaded, restored and verified by several threads at once, each with helpers of its own") {
  const everything state;
  memory m;
  save(state, m);
  std::vector<char> is_same(4);
  at_once(4, [&](unsigned i) {
    const load_options options{.threads = i + 1};
    everything target;
    target.large.clear();
    restore(target, m, options);
    is_same[i] = target == state && load<everything>(m, options) == state && verify(m, options).has_digests;
  });
  for (const char same : is_same) CHECK(same);
}

TEST_CASE("types that were never saved before are saved by several threads first") {
  first_save_by_threads<0>();
  first_save_by_threads<1>();
  first_save_by_threads<2>();
  first_save_by_threads<3>();
}
