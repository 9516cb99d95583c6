// SPDX-License-Identifier: BSL-1.0
// model/schema.test.cpp: the canonical text of a schema.
#include <tidemark/model/schema.hpp>

#include <doctest/doctest.h>

using tidemark::kind;
using tidemark::schema;

TEST_CASE("every kind has its spelling, and members are sorted only for the digest") {
  const schema u64{.kind = kind::scalar, .code = "u64"}, text{.kind = kind::text};
  const auto of = [](kind k, std::vector<schema> children) { return schema{.kind = k, .children = std::move(children)}; };
  CHECK(to_text(u64) == "u64");
  CHECK(to_text(text) == "text");
  CHECK(to_text(of(kind::array, {u64})) == "[u64]");
  CHECK(to_text(schema{.kind = kind::array, .extent = 3, .children = {u64}}) == "[u64;3]");
  CHECK(to_text(of(kind::sequence, {of(kind::array, {u64})})) == "[[u64]]");
  CHECK(to_text(of(kind::map, {text, u64})) == "<text,u64>");
  CHECK(to_text(of(kind::optional, {u64})) == "?u64");
  CHECK(to_text(of(kind::variant, {u64, text})) == "(u64|text|)");
  CHECK(to_text(of(kind::tuple, {u64, text})) == "(u64,text,)");
  CHECK(to_text(of(kind::tuple, {})) == "()");
  const schema record{.kind = kind::record, .names = {"b", "a"}, .children = {u64, text}};
  CHECK(to_text(record) == "{b:u64,a:text}");
  CHECK(to_digest_text(record) == "{a:text,b:u64}");
  schema tagged = record;
  tagged.tag = "mt19937";
  CHECK(to_text(tagged) == "@mt19937={b:u64,a:text}");
}
