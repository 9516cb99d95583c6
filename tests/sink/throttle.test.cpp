// SPDX-License-Identifier: BSL-1.0
// tests/sink/throttle.test.cpp: a throttle keeps its limit and wastes no time, on a clock of the test's own.
#include <tidemark/sink/throttle.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

using namespace tidemark;
using std::chrono::nanoseconds;

static_assert(Sink<throttle<memory>> && Sink<throttle<any_sink>> && SinkWriter<throttle_writer<atomic_file, steady_pace>>);

namespace {

/// Time that passes only where someone sleeps or works.
struct simulated {
  nanoseconds now{1'000'000'000'000'000};  // steady clocks start anywhere
  int sleeps = 0;
  nanoseconds slept{0}, oversleeps{0};
};
struct simulated_pace {
  simulated* time;
  nanoseconds now() const { return time->now; }
  void sleep(nanoseconds span) const {
    REQUIRE(span > nanoseconds(0));
    ++time->sleeps;
    time->slept += span;
    time->now += span + time->oversleeps;
  }
};

/// Checks at each byte that it does not come too early, and takes time for each.
struct watched {
  simulated* time;
  double rate;
  double seconds_a_byte = 0;
  std::uint64_t passed = 0;
  bool is_early = false;
  nanoseconds opened{0};

  struct writer {
    watched* sink;
    void write(std::span<const std::byte> bytes) {
      sink->passed += bytes.size();
      const double seconds = std::chrono::duration<double>(sink->time->now - sink->opened).count();
      if (static_cast<double>(sink->passed) > sink->rate * (seconds + std::max(0.1, 1 / sink->rate)) * (1 + 1e-9) + 1e-6) sink->is_early = true;
      sink->time->now += nanoseconds(static_cast<std::int64_t>(static_cast<double>(bytes.size()) * sink->seconds_a_byte * 1e9));
    }
    durability commit() { return durability::process; }
  };
  writer open(std::uint64_t) {
    opened = time->now;
    passed = 0;
    return {this};
  }
  std::string name() const { return "watched"; }
};

double seconds_of(nanoseconds span) { return std::chrono::duration<double>(span).count(); }

}  // namespace

TEST_CASE("a throttle passes no byte before its time and takes no longer than the limit asks for, for every limit and size of writes") {
  for (const std::uint64_t rate : {1ull, 7ull, 1000ull, 65537ull, 5'000'000ull, 3'000'000'000ull, 40'000'000'000ull}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, std::size_t{1000}, std::size_t{100'000}, std::size_t{3} << 20}) {
      const std::uint64_t total = std::min<std::uint64_t>(std::max<std::uint64_t>(rate * 2, 20), piece * 3000);
      simulated time;
      throttle sink{rate, watched{&time, static_cast<double>(rate)}, simulated_pace{&time}};
      CAPTURE(rate);
      CAPTURE(piece);
      const auto start = time.now;
      auto writer = sink.open(total);
      const std::vector<std::byte> bytes(piece);
      std::uint64_t left = total;
      while (left > 0) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece));
        writer.write(std::span(bytes).first(size));
        left -= size;
      }
      CHECK(writer.commit() == durability::process);
      CHECK(!sink.inner().is_early);
      CHECK(sink.inner().passed == total);
      const double needed = std::max(0.0, static_cast<double>(total) / static_cast<double>(rate) - std::max(0.1, 1 / static_cast<double>(rate)));
      CHECK(seconds_of(time.now - start) == doctest::Approx(needed).epsilon(1e-6));
    }
  }
}

TEST_CASE("a sink that is slower than its limit, and a save within a tenth of a second's worth, wait for nothing") {
  simulated time;
  throttle slow{1'000'000, watched{&time, 1e6, 1.01e-6}, simulated_pace{&time}};
  scratch::save_text(slow, scratch::pattern(3'000'000), 70'000);
  CHECK(time.sleeps == 0);
  throttle small{1'000'000, watched{&time, 1e6}, simulated_pace{&time}};
  scratch::save_text(small, scratch::pattern(100'000), 9'999);
  CHECK(time.sleeps == 0);
  scratch::save_text(small, scratch::pattern(100'000));  // each save begins with a full bucket
  CHECK(time.sleeps == 0);
  scratch::save_text(small, scratch::pattern(110'000));
  CHECK(seconds_of(time.slept) == doctest::Approx(0.01));
}

TEST_CASE("time that a program spends elsewhere is not saved up beyond a tenth of a second, and sleeping too long is made up for") {
  simulated time;
  throttle sink{1000, watched{&time, 1000}, simulated_pace{&time}};
  auto writer = sink.open(0);
  time.now += std::chrono::hours(1);
  const auto start = time.now;
  const std::vector<std::byte> bytes(1100);
  writer.write(bytes);
  CHECK(seconds_of(time.now - start) == doctest::Approx(1.0));

  simulated late;
  late.oversleeps = std::chrono::milliseconds(3);
  throttle again{1'000'000, watched{&late, 1e6}, simulated_pace{&late}};
  const auto begin = late.now;
  scratch::save_text(again, scratch::pattern(2'100'000), 10'000);
  CHECK(seconds_of(late.now - begin) <= 2.0 + 0.004);  // not 3 ms for each of the sleeps
  CHECK(!again.inner().is_early);
}

TEST_CASE("a throttle passes on what it is given, and refuses a limit of 0") {
  scratch::folder folder;
  simulated time;
  const std::string text = scratch::pattern(50'000);
  throttle sink{1234, atomic_file{folder / "file"}, simulated_pace{&time}};
  CHECK(sink.name() == folder / "file");
  CHECK(scratch::save_text(sink, text, 777) == durability::power);
  CHECK((scratch::content(folder / "file") == text));
  CHECK(scratch::save_text(throttle{1'000'000'000, memory{}}, text) == durability::none);  // the system's clock
  const auto refused = scratch::failure_of([&] { throttle none(0, atomic_file{folder / "file"}); });
  REQUIRE(refused);
  CHECK(refused->code() == errc::unsupported);
  CHECK(std::string(refused->what()).find("0 bytes a second") != std::string::npos);
}

TEST_CASE("a throttled save sleeps on the system's clock") {
  const auto start = std::chrono::steady_clock::now();
  scratch::save_text(throttle{100'000, memory{}}, scratch::pattern(13'000));
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(30));
}
