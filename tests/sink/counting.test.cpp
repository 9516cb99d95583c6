// SPDX-License-Identifier: BSL-1.0
// tests/sink/counting.test.cpp: what a counting sink counts, and who can read it.
#include <tidemark/sink/counting.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/sink/tee.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <chrono>
#include <thread>

using namespace tidemark;

static_assert(Sink<counting<memory>> && Sink<counting<atomic_file>> && SinkWriter<counting_writer<any_sink>>);

namespace {

struct slow {
  std::chrono::milliseconds of_open{0}, of_write{0}, of_commit{0};
  bool fails = false;
  struct writer {
    slow* sink;
    void write(std::span<const std::byte>) {
      std::this_thread::sleep_for(sink->of_write);
      if (sink->fails) throw error({.code = errc::io, .problem = "it fails"});
    }
    durability commit() {
      std::this_thread::sleep_for(sink->of_commit);
      if (sink->fails) throw error({.code = errc::io, .problem = "it fails"});
      return durability::none;
    }
  };
  writer open(std::uint64_t) {
    std::this_thread::sleep_for(of_open);
    return {this};
  }
  std::string name() const { return "slow"; }
};

}  // namespace

TEST_CASE("a counting sink passes everything on, and counts bytes, writes and saves") {
  scratch::folder folder;
  counting file{atomic_file{folder / "file"}};
  CHECK(file.name() == folder / "file");
  CHECK(scratch::save_text(file, "abcdefgh", 3) == durability::power);
  CHECK(scratch::content(folder / "file") == "abcdefgh");
  CHECK(file.counts().bytes() == 8);
  CHECK(file.counts().writes() == 3);
  CHECK(file.counts().saves() == 1);
  CHECK(file.counts().seconds() > 0);
  { file.open(2).write(detail::bytes_of("xy")); }
  CHECK(file.counts().bytes() == 10);
  CHECK(file.counts().writes() == 4);
  CHECK(file.counts().saves() == 1);
  CHECK(scratch::content(folder / "file") == "abcdefgh");
}

TEST_CASE("the caller reads the counts of a sink that lies in others by value, copies and moves included") {
  sink_counts counts;
  {
    tidemark::tee inner{counting{memory{}, counts}, memory{}};
    any_sink sink = tidemark::tee{memory{}, std::move(inner)};
    scratch::save_text(sink, "abc", 1);
  }
  auto copied = counting{memory{}, counts};
  auto again = copied;
  scratch::save_text(again, "de");
  CHECK(counts.bytes() == 5);
  CHECK(counts.writes() == 4);
  CHECK(counts.saves() == 2);
  CHECK(copied.counts().bytes() == 5);
  CHECK(counting{memory{}}.counts().bytes() == 0);  // no counts given: its own
}

TEST_CASE("seconds are those that the sink took to open, write and commit, and no others") {
  using std::chrono::milliseconds;
  for (int part = 0; part < 3; ++part) {
    sink_counts counts;
    slow inner;
    (part == 0 ? inner.of_open : part == 1 ? inner.of_write : inner.of_commit) = milliseconds(20);
    counting sink{inner, counts};
    auto writer = sink.open(1);
    writer.write({});
    const double before = counts.seconds();
    std::this_thread::sleep_for(milliseconds(5));
    CHECK(counts.seconds() == before);  // not while the program does something else
    writer.commit();
    CHECK(counts.seconds() >= 0.02);
  }
}

TEST_CASE("what a sink refuses is not counted but for its time, and the save is over") {
  for (const bool at_commit : {false, true}) {
    counting sink{slow{.of_write = std::chrono::milliseconds(2), .of_commit = std::chrono::milliseconds(2)}};
    auto writer = sink.open(1);
    sink.inner().fails = true;
    CHECK(scratch::code_of([&] { at_commit ? static_cast<void>(writer.commit()) : writer.write(detail::bytes_of("abc")); }) == "io");
    CHECK(sink.counts().bytes() == 0);
    CHECK(sink.counts().writes() == 0);
    CHECK(sink.counts().saves() == 0);
    CHECK(sink.counts().seconds() >= 0.002);
    CHECK(scratch::code_of([&] { writer.write({}); }) == "unsupported");
    CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
  }
}
