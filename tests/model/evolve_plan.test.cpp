// SPDX-License-Identifier: BSL-1.0
// model/evolve_plan.test.cpp: what a newer type does with an older schema, and what it refuses.
#include <tidemark/model/evolve_plan.hpp>
#include <tidemark/model/schema_text.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tidemark;

namespace {

/// A line for each step, then each refusal.
std::string planned(const std::string& here, const std::string& file, std::vector<rename_rule> renames = {}, bool migrates = false) {
  schema type = parse_schema(here);
  type.renames = std::move(renames);
  type.migrates = migrates;
  const auto plan = plan_evolution(type, parse_schema(file));
  std::string text;
  for (const auto& s : plan.steps) text += std::string(name_of(s.is)) + ' ' + s.path + '\n';
  for (const auto& d : plan.refused) text += (plan.is_newer ? "newer " : "refused ") + d.path + '\n';
  return text;
}

}  // namespace

TEST_CASE("the same version takes the same fields in any order, and integers of other widths") {
  CHECK(planned("{a:u8,b:text}", "{b:text,a:u8}") == "");
  CHECK(planned("{a:i64}", "{a:i32}") == "converted a\n");
  CHECK(planned("{a:[u16]}", "{a:[u64]}") == "converted a.*\n");
  CHECK(planned("{a:i64}", "{a:u64}") == "refused a\n");
  CHECK(planned("{a:f64}", "{a:f32}") == "refused a\n");
  CHECK(planned("{a:u8,c:u8}", "{a:u8,b:u8}") == "refused c\nrefused b\n");
  CHECK(planned("{a:?u8}", "{a:u8}") == "refused a\n");
  CHECK(planned("{a:enum:u8}", "{a:u8}") == "refused a\n");
}

TEST_CASE("a newer version adds, drops, renames and converts; an older one takes nothing") {
  CHECK(planned("{a:u8,b:u8}/2", "{a:u8}") == "added b\n");
  CHECK(planned("{a:u8}/2", "{a:u8,b:u8}") == "dropped b\n");
  CHECK(planned("{b:u8}/2", "{a:u8}", {{"a", "b"}}) == "renamed b\n");
  CHECK(planned("{a:f64}/2", "{a:i32}") == "converted a\n");
  CHECK(planned("{a:?f64}/2", "{a:f32}") == "widened a\nconverted a\n");
  CHECK(planned("{a:[u8]}/2", "{a:[u8;3]}") == "widened a\n");
  CHECK(planned("{a:[u8;3]}/2", "{a:[u8]}") == "refused a\n");
  CHECK(planned("{a:(u8|text|f32|)}/2", "{a:(u8|text|)}") == "");
  CHECK(planned("{a:(u8|text|)}/2", "{a:(u8|text|f32|)}") == "refused a\n");
  CHECK(planned("{a:text}/2", "{a:u8}") == "refused a\n");
  CHECK(planned("{a:u8}", "{a:u8}/2") == "newer (root)\n");
  CHECK(planned("{in:{a:u8}}/3", "{in:{a:u8}/2}/3") == "newer in\n");
}

TEST_CASE("each record goes by its own version") {
  CHECK(planned("{in:{a:u8,b:u8}/2}", "{in:{a:u8}}") == "added in.b\n");
  CHECK(planned("{in:{a:u8,b:u8}}/2", "{in:{a:u8}}") == "refused in.b\n");
  CHECK(planned("{rows:[{a:u8,b:u8}/2],m:<text,{a:u8,b:u8}/2>,v:({a:u8,b:u8}/2|text|)}", "{rows:[{a:u8}],m:<text,{a:u8}>,v:({a:u8}|text|)}") ==
        "added rows.*.b\nadded m.*.b\nadded v.0.b\n");
}

TEST_CASE("members move into a new record and out of one") {
  CHECK(planned("{o:{lr:f32,n:u8}}/2", "{lr:f32}", {{"lr", "o.lr"}}) == "renamed o.lr\nadded o.n\n");
  CHECK(planned("{lr:f32}/2", "{o:{lr:f32,n:u8}}", {{"o.lr", "lr"}}) == "renamed lr\ndropped o.n\n");
}

TEST_CASE("a name that was another's is not taken for the new one") {
  const std::vector<rename_rule> renames{{"x", "y"}};
  CHECK(planned("{x:u8,y:u8}/3", "{x:u8}", renames) == "added x\nrenamed y\n");
  CHECK(planned("{x:u8,y:u8}/3", "{x:u8,y:u8}/2", renames) == "");
  CHECK(planned("{c:u8}/3", "{a:u8}", {{"a", "c"}, {"b", "c"}}) == "renamed c\n");
  CHECK(planned("{c:u8}/3", "{b:u8}/2", {{"a", "c"}, {"b", "c"}}) == "renamed c\n");
  CHECK(planned("{a:u8,b:u8}/2", "{a:u8,b:u8}", {{"a", "b"}, {"b", "a"}}) == "");  // both are there: nothing says that they changed places
}

TEST_CASE("a chain of renames is followed, from wherever it begins") {
  const std::vector<rename_rule> chain{{"a", "b"}, {"b", "c"}, {"c", "o.d"}};
  for (const char* file : {"{a:u8}", "{b:u8}/2", "{c:u8}/3"}) CHECK(planned("{o:{d:u8}}/4", file, chain) == "renamed o.d\n");
  CHECK(planned("{o:{d:u8}}/5", "{o:{d:u8}}/4", chain) == "");
  CHECK(planned("{b:u8}/4", "{a:u8}", {{"b", "a"}, {"a", "b"}}) == "renamed b\n");
}

TEST_CASE("a rule that says since when it holds tells a swap and a name that was used again") {
  const std::vector<rename_rule> swap{{"a", "b", 3}, {"b", "a", 3}};
  CHECK(planned("{a:u8,b:u8}/3", "{a:u8,b:u8}/2", swap) == "renamed a\nrenamed b\n");
  CHECK(planned("{a:u8,b:u8}/4", "{a:u8,b:u8}/3", swap) == "");
  CHECK(planned("{x:u8,y:u8}/3", "{x:u8,y:u8}/2", {{"x", "y", 3}}) == "added x\nrenamed y\ndropped y\n");
  CHECK(planned("{c:u8}/5", "{a:u8}", {{"a", "b", 2}, {"b", "c", 4}}) == "renamed c\n");
  CHECK(planned("{c:u8}/5", "{b:u8}/2", {{"a", "b", 2}, {"b", "c", 4}}) == "renamed c\n");
}

TEST_CASE("what does not fit is left to a migrate function, if there is one") {
  CHECK(planned("{a:text}/2", "{a:u8}", {}, true) == "migrated (root)\nadded a\n");
  CHECK(planned("{a:text}", "{a:u8}", {}, true) == "refused a\n");
  CHECK(planned("{a:u8}/2", "{a:u8}", {}, true) == "migrated (root)\n");
}

TEST_CASE("packed types evolve inside themselves") {
  CHECK(planned("!{v:i64,kids:[^0]}", "!{v:i32,kids:[^0]}") == "converted v\n");
  CHECK(planned("!{v:i32,w:f32,kids:[^0]}/2", "!{v:i32,kids:[^0]}") == "added w\n");
  CHECK(planned("!{v:i32,kids:[^0]}", "{v:i32,kids:[i32]}") == "refused (root)\n");
}
