// SPDX-License-Identifier: BSL-1.0
// store/name_map.test.cpp: names of ours to theirs: rules on whole steps, stars, the most special one, and functions.
#include <tidemark/store/name_map.hpp>

#include <doctest/doctest.h>

using tidemark::name_map;

TEST_CASE("without rules, and where none fits, a name stays") {
  CHECK(name_map{}("a.b") == "a.b");
  CHECK(name_map{}("") == "");
  const name_map names{{"a", "x"}};
  CHECK(names("b") == "b");
  CHECK(names("ab") == "ab");  // a step is whole or is not meant
  CHECK(names("b.a") == "b.a");
}

TEST_CASE("a rule renames a name and all below it; the longest one counts, once") {
  const name_map names{{"a", "x"}, {"a.b", "a.y.z"}, {"", "model"}, {"c", ""}};
  CHECK(names("a") == "x");
  CHECK(names("a.c.d") == "x.c.d");
  CHECK(names("a.b.d") == "a.y.z.d");
  CHECK(names("d") == "model.d");
  CHECK(names("c.e") == "e");
  CHECK(names("") == "model");
  CHECK(name_map{{"a", "first"}, {"a", "second"}}("a") == "first");
}

TEST_CASE("stars stand for one step each and keep their order") {
  const name_map names{{"layers.*.attention", "h.*.attn"}, {"blocks.*.*.w", "b.*.x.*"}, {"drop.*", "kept"}};
  CHECK(names("layers.12.attention.weight") == "h.12.attn.weight");
  CHECK(names("layers.attention") == "layers.attention");
  CHECK(names("blocks.1.2.w") == "b.1.x.2");
  CHECK(names("drop.5.w") == "kept.w");
  CHECK_THROWS_AS((name_map{{"a.*", "*.*"}}), tidemark::error);
}

TEST_CASE("a function does as it likes") {
  const name_map names = [](std::string_view ours) { return "x/" + std::string(ours); };
  CHECK(names("a.b") == "x/a.b");
  const name_map copy = names;
  CHECK(copy("c") == "x/c");
}
