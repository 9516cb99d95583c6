// SPDX-License-Identifier: BSL-1.0
// whole/resume.test.cpp: a computation that is saved at any step and resumed in a new object goes on bit for bit.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace tidemark;

namespace {

/// Draws from everything that has state, in steps whose numbers of draws are odd.
struct simulation {
  std::uint64_t step = 0;
  std::mt19937 a{1};
  std::mt19937_64 b{2};
  std::minstd_rand c{3};
  std::normal_distribution<double> normal;
  std::normal_distribution<float> narrow{1.f, 3.f};
  std::bernoulli_distribution coin{0.3};
  std::uniform_int_distribution<int> dice{1, 6};
  std::uniform_real_distribution<float> real;
  shuffled_sampler order{7, 11};
  std::vector<double> trace;
  std::vector<std::mt19937> streams{std::mt19937{5}, std::mt19937{6}};
  std::map<std::string, std::uniform_int_distribution<int>> ranges{{"small", std::uniform_int_distribution<int>{0, 3}}};

  void advance() {
    ++step;
    trace.push_back(normal(b) + static_cast<double>(narrow(a)) + dice(c) + static_cast<double>(real(a)) + (coin(b) ? 1 : 0) +
                    static_cast<double>(order.next()) + static_cast<double>(streams[step % 2]() % 10) + ranges["small"](c));
  }
};

/// Refuses to be saved above 100.
class gauge {
 public:
  static constexpr std::string_view checkpoint_name = "gauge";
  int snapshot() const {
    if (percent > 100) throw error({.code = errc::invalid_value, .tensor = "percent", .problem = "above 100"});
    return percent;
  }
  void restore(int p) { percent = p; }
  int percent = 0;
};

}  // namespace

TEST_CASE("saved at every step of a run and resumed into a fresh or an advanced object, it gives the same trace and the same bytes") {
  simulation whole;
  std::vector<memory> saves;
  for (int i = 0; i < 60; ++i) {
    saves.emplace_back();
    save(whole, saves.back());
    whole.advance();
  }
  memory last;
  save(whole, last);
  simulation other;
  for (int i = 0; i < 1000; ++i) other.advance();
  for (std::size_t from = 0; from < saves.size(); ++from) {
    auto resumed = load<simulation>(saves[from]);
    restore(other, saves[from]);
    for (std::size_t i = from; i < saves.size(); ++i) {
      resumed.advance();
      other.advance();
    }
    memory again;
    save(resumed, again);
    REQUIRE(std::equal(again.bytes().begin(), again.bytes().end(), last.bytes().begin(), last.bytes().end()));
    save(other, again);
    REQUIRE(std::equal(again.bytes().begin(), again.bytes().end(), last.bytes().begin(), last.bytes().end()));
    REQUIRE(resumed.trace == whole.trace);
  }
}

TEST_CASE("a value that cannot be saved or restored is named by its place in the state, alone, in a module and in rows") {
  struct inner {
    gauge level;
  };
  struct state {
    inner one;
    std::vector<inner> rows = std::vector<inner>(3);
    std::map<std::string, std::optional<inner>> named{{"a", inner{}}};
  };
  const auto place = [](const state& s) {
    memory m;
    try {
      save(s, m);
      return std::string("none");
    } catch (const error& e) {
      CHECK(e.code() == errc::invalid_value);
      return e.tensor();
    }
  };
  state s;
  REQUIRE(place(s) == "none");
  s.one.level.percent = 101;
  CHECK(place(s) == "one.level.percent");
  s = {};
  s.rows[2].level.percent = 101;
  CHECK(place(s) == "rows.level.2.percent");
}

TEST_CASE("one engine's state is not taken for another's") {
  struct with_rand0 {
    std::minstd_rand0 rng;
  };
  struct with_rand {
    std::minstd_rand rng;
  };
  memory m;
  save(with_rand0{}, m);
  try {
    static_cast<void>(load<with_rand>(m));
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::schema_mismatch);
    CHECK(std::string(e.what()).find("rng") != std::string::npos);
  }
}

TEST_CASE("two saves of one const state at once, and a save beside readers of it, see the same state") {
  const simulation state;
  memory first, second;
  std::thread one([&] { save(state, first); });
  std::thread two([&] { save(state, second); });
  std::uint64_t sum = 0;
  for (const double d : state.trace) sum += static_cast<std::uint64_t>(d);
  one.join();
  two.join();
  CHECK(std::equal(first.bytes().begin(), first.bytes().end(), second.bytes().begin(), second.bytes().end()));
  CHECK(sum == 0);
}
