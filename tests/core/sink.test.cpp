// SPDX-License-Identifier: BSL-1.0
// core/sink.test.cpp: what is a sink and what is a source.
#include <tidemark/core/sink.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tidemark;

namespace {

struct writer {
  void write(std::span<const std::byte>) {}
  durability commit() { return durability::none; }
};
struct sink {
  writer open(std::uint64_t) { return {}; }
  std::string name() const { return "mine"; }
};
struct source {
  std::uint64_t size() const { return 0; }
  std::string name() const { return "mine"; }
  void read(std::uint64_t, std::span<std::byte>) const {}
};
struct memory_source : source {
  std::span<const std::byte> bytes() const { return {}; }
};
struct silent_writer {
  void write(std::span<const std::byte>) {}
  void commit() {}  // does not say what it reached
};
struct silent_sink {
  silent_writer open(std::uint64_t) { return {}; }
  std::string name() const { return {}; }
};
struct nameless {
  writer open(std::uint64_t) { return {}; }
};

static_assert(SinkWriter<writer> && Sink<sink> && Source<source> && Source<memory_source>);
static_assert(ContiguousSource<memory_source> && !ContiguousSource<source>);
static_assert(!SinkWriter<silent_writer> && !Sink<silent_sink> && !Sink<nameless>);
static_assert(!Sink<int> && !Source<int> && !Sink<source> && !Source<sink> && !Source<const char*>);

}  // namespace

TEST_CASE("levels of durability have names and an order") {
  CHECK(name_of(durability::none) == "none");
  CHECK(name_of(durability::process) == "process");
  CHECK(name_of(durability::power) == "power");
  CHECK(durability::none < durability::process);
  CHECK(durability::process < durability::power);
}
