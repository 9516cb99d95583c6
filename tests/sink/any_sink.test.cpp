// SPDX-License-Identifier: BSL-1.0
// tests/sink/any_sink.test.cpp: what a program that chooses its sink or source at run time may rely on.
#include <tidemark/sink/any_sink.hpp>

#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <functional>
#include <thread>
#include <type_traits>
#include <vector>

using namespace tidemark;

static_assert(Sink<any_sink> && SinkWriter<any_sink_writer> && Source<any_source> && !ContiguousSource<any_source>);
static_assert(std::is_nothrow_move_constructible_v<any_sink> && std::is_nothrow_move_assignable_v<any_sink> && !std::is_copy_constructible_v<any_sink>);
static_assert(std::is_nothrow_move_constructible_v<any_sink_writer> && std::is_nothrow_move_assignable_v<any_sink_writer>);
static_assert(std::is_copy_constructible_v<any_source> && std::is_copy_assignable_v<any_source>);
static_assert(!std::is_constructible_v<any_sink, int> && !std::is_constructible_v<any_source, int> && !std::is_constructible_v<any_sink, const char*>);
static_assert(!std::is_constructible_v<any_sink, file_source> && !std::is_constructible_v<any_source, atomic_file>);

namespace {

/// A sink whose writer can be neither moved nor copied, and that counts who is alive.
struct pinned {
  int* alive;
  struct writer {
    int* alive;
    explicit writer(int* a) : alive(a) { ++*alive; }
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;
    ~writer() { --*alive; }
    void write(std::span<const std::byte>) {}
    durability commit() { return durability::process; }
  };
  writer open(std::uint64_t) const { return writer(alive); }
  const char* name() const { return "pinned"; }
};

std::string text(const any_source& source) {
  std::string all(static_cast<std::size_t>(source.size()), '?');
  source.read(0, std::as_writable_bytes(std::span(all)));
  return all;
}

}  // namespace

TEST_CASE("an any_sink saves where the sink that it holds would, and says its level and name") {
  scratch::folder folder;
  std::vector<any_sink> sinks;
  sinks.push_back(atomic_file{folder / "a"});
  sinks.emplace_back(atomic_file{folder / "b", {.durability = durability::process}});
  const atomic_file named{folder / "c"};
  sinks.emplace_back(named);  // a copy
  memory m;
  sinks.emplace_back(std::ref(m));
  std::vector<durability> levels;
  for (any_sink& sink : sinks) levels.push_back(scratch::save_text(sink, "abcdef", 4));
  CHECK(levels == std::vector{durability::power, durability::process, durability::power, durability::none});
  for (const char* name : {"a", "b", "c"}) CHECK(scratch::content(folder / name) == "abcdef");
  CHECK(detail::text_of(m.bytes()) == "abcdef");
  CHECK(sinks[1].name() == folder / "b");
  CHECK(sinks[3].name() == "memory");
}

TEST_CASE("an any_sink and its writer move, and what they hold goes once") {
  int alive = 0;
  any_sink sink = pinned{&alive};
  {
    any_sink moved = std::move(sink);
    sink = std::move(moved);
    auto writer = sink.open(1);
    auto other = std::move(writer);
    CHECK(alive == 1);
    writer = std::move(other);
    CHECK(writer.commit() == durability::process);
    auto second = sink.open(1);
    CHECK(alive == 2);
    second = std::move(writer);  // the one that is overwritten goes
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
  CHECK(sink.name() == "pinned");
}

TEST_CASE("a save through any_sink that does not commit, or fails, leaves what was there") {
  scratch::folder folder;
  scratch::put(folder / "file", "old");
  any_sink sink = atomic_file{folder / "file"};
  { sink.open(3).write(detail::bytes_of("new")); }
  CHECK(scratch::content(folder / "file") == "old");
  any_sink refused = atomic_file{folder / "file", {.mode = file_mode::create_new}};
  CHECK(scratch::code_of([&] { refused.open(3); }) == "exists");
  auto writer = sink.open(3);
  writer.commit();
  CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
  CHECK(folder.leftovers() == 0);
}

TEST_CASE("an any_source reads what the source that it holds would, through copies that outlive it, from several threads") {
  scratch::folder folder;
  const std::string content = scratch::pattern(100000);
  scratch::put(folder / "file", content);
  std::vector<any_source> sources;
  {
    any_source file = file_source{folder / "file"};
    sources.push_back(file);
    file = memory(detail::bytes_of(content));
    sources.push_back(file);
  }
  const memory kept(detail::bytes_of(content));
  sources.emplace_back(std::cref(kept));
  memory changing(detail::bytes_of(content));
  sources.emplace_back(std::ref(changing));
  for (const any_source& source : sources) {
    CHECK((text(source) == content));
    std::byte one[1];
    CHECK(scratch::code_of([&] { source.read(content.size(), one); }) == "truncated");
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t, copy = source] {
        for (std::size_t at = t; at + 100 < content.size(); at += 997) {
          std::string piece(100, '?');
          copy.read(at, std::as_writable_bytes(std::span(piece)));
          wrong[t] += piece != content.substr(at, 100);
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(wrong == std::vector{0, 0, 0, 0});
  }
  CHECK(sources[0].name() == folder / "file");
  changing = memory(detail::bytes_of("other"));
  CHECK(text(sources[3]) == "other");
}
