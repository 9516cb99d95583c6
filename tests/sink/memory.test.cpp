// SPDX-License-Identifier: BSL-1.0
// tests/sink/memory.test.cpp: what a user of tidemark::memory may rely on.
#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <limits>

using namespace tidemark;

static_assert(Sink<memory> && ContiguousSource<memory>);

namespace {
std::string text(const memory& m) { return std::string(detail::text_of(m.bytes())); }
}  // namespace

TEST_CASE("a memory holds what was saved into it, and reads it back from any offset") {
  memory m;
  CHECK(scratch::save_text(m, "abcdefgh", 3) == durability::none);
  CHECK(text(m) == "abcdefgh");
  CHECK(m.size() == 8);
  CHECK(m.name() == "memory");
  for (std::size_t from = 0; from <= 8; ++from) {
    for (std::size_t size = 0; from + size <= 8; ++size) {
      std::string into(size, '?');
      m.read(from, std::as_writable_bytes(std::span(into)));
      CHECK(into == std::string("abcdefgh").substr(from, size));
    }
  }
}

TEST_CASE("a memory refuses to read past its end, also where offset and size overflow") {
  const memory m(detail::bytes_of("abc"));
  std::byte into[4];
  CHECK(scratch::code_of([&] { m.read(0, into); }) == "truncated");
  CHECK(scratch::code_of([&] { m.read(4, std::span(into, 0)); }) == "truncated");
  CHECK(scratch::code_of([&] { m.read(std::numeric_limits<std::uint64_t>::max(), std::span(into, 2)); }) == "truncated");
  CHECK(scratch::code_of([&] { m.read(3, std::span(into, 0)); }) == "success");
}

TEST_CASE("a save into a memory that does not commit changes nothing") {
  memory m(std::vector<std::byte>(5, std::byte{'x'}));
  {
    auto writer = m.open(3);
    writer.write(detail::bytes_of("new"));
    CHECK(text(m) == "xxxxx");
  }
  CHECK(text(m) == "xxxxx");
  auto first = m.open(3);
  auto second = m.open(3);  // two at once: each has its own buffer, the last commit stays
  first.write(detail::bytes_of("one"));
  second.write(detail::bytes_of("two"));
  second.commit();
  first.commit();
  CHECK(text(m) == "one");
  CHECK(scratch::code_of([&] { first.commit(); }) == "unsupported");
}

TEST_CASE("a memory reuses its buffers: saves after the second allocate nothing") {
  memory m;
  scratch::save_text(m, scratch::pattern(1000));
  const auto* a = m.bytes().data();
  scratch::save_text(m, scratch::pattern(1000));
  const auto* b = m.bytes().data();
  std::vector<std::vector<std::byte>> others;
  for (int i = 0; i < 10; ++i) {
    others.emplace_back(1000);  // takes the place of a buffer that was freed
    scratch::save_text(m, scratch::pattern(1000));
    CHECK(m.bytes().data() == (i % 2 == 0 ? a : b));
  }
  {
    auto abandoned = m.open(1000);
  }
  scratch::save_text(m, scratch::pattern(1000));
  CHECK((m.bytes().data() == a || m.bytes().data() == b));
}

TEST_CASE("a memory takes fewer or more bytes than announced, and refuses what no memory holds") {
  memory m;
  auto more = m.open(1);
  for (int i = 0; i < 5; ++i) more.write(detail::bytes_of("ab"));
  more.commit();
  CHECK(text(m) == "ababababab");
  auto fewer = m.open(100);
  fewer.write(detail::bytes_of("c"));
  auto moved = std::move(fewer);
  moved.commit();
  CHECK(text(m) == "c");
  CHECK(scratch::code_of([&] { m.open(std::numeric_limits<std::uint64_t>::max()); }) == "no_space");
  CHECK(text(m) == "c");
  m.shrink_to_fit();
  CHECK(m.release().size() == 1);
  CHECK(m.size() == 0);
}
