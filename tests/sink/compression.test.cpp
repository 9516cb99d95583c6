// SPDX-License-Identifier: BSL-1.0
// tests/sink/compression.test.cpp: a compression is a value that anyone can make.
#include <tidemark/sink/compression.hpp>

#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <string>
#include <vector>

using namespace tidemark;

namespace {

/// Stands for a library that compresses: turns every bit round.
template <class S>
struct turning {
  S inner;
  struct writer {
    any_sink_writer inner;
    void write(std::span<const std::byte> bytes) {
      std::vector<std::byte> turned(bytes.begin(), bytes.end());
      for (std::byte& b : turned) b = ~b;
      inner.write(turned);
    }
    durability commit() { return inner.commit(); }
  };
  writer open(std::uint64_t total_bytes) { return {inner.open(total_bytes)}; }
  std::string name() const { return inner.name(); }
  std::uint64_t size() const { return inner.size(); }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    inner.read(offset, into);
    for (std::byte& b : into) b = ~b;
  }
};

}  // namespace

TEST_CASE("a compression wraps any sink and unwraps any source, and is nothing by default") {
  const compression turned{.suffix = ".turned",
                           .wrap = [](any_sink sink) -> any_sink { return turning<any_sink>{std::move(sink)}; },
                           .unwrap = [](any_source source) -> any_source { return turning<any_source>{std::move(source)}; }};
  memory m;
  any_sink sink = turned.wrap(std::ref(m));
  CHECK(scratch::save_text(sink, "abc") == durability::none);
  CHECK(detail::text_of(m.bytes()) != "abc");
  const any_source source = turned.unwrap(std::cref(m));
  std::string text(3, '?');
  source.read(0, std::as_writable_bytes(std::span(text)));
  CHECK(text == "abc");
  const compression none;
  CHECK((none.suffix.empty() && !none.wrap && !none.unwrap));
}
