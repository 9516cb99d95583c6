// SPDX-License-Identifier: BSL-1.0
// tests/sink/opened_writer.test.cpp: a writer that is passed on to is given up at its first failure.
#include <tidemark/sink/opened_writer.hpp>

#include <tidemark/sink/memory.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

using namespace tidemark;

TEST_CASE("a writer behind another sink ends with its first failure or its commit, whatever is thrown") {
  memory m(detail::bytes_of("old"));
  detail::inner_writer<memory> failed(m, 3);
  CHECK_THROWS_AS(failed.run([](auto&) { throw 5; }), int);
  CHECK(scratch::code_of([&] { failed.run([](auto&) {}); }) == "unsupported");
  CHECK(scratch::code_of([&] { failed.commit(); }) == "unsupported");
  CHECK(detail::text_of(m.bytes()) == "old");

  detail::inner_writer<memory> whole(m, 3);
  whole.run([](auto& writer) { writer.write(detail::bytes_of("new")); });
  CHECK(whole.commit() == durability::none);
  CHECK(scratch::code_of([&] { whole.require_open(); }) == "unsupported");
  CHECK(detail::text_of(m.bytes()) == "new");
}
