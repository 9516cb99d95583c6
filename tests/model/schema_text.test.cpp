// SPDX-License-Identifier: BSL-1.0
// model/schema_text.test.cpp: schemas read back from text, and from text that is none.
#include <tidemark/model/schema_text.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace tidemark;

namespace {

bool is_refused(std::string_view text) {
  try {
    parse_schema(text);
    return false;
  } catch (const error& e) {
    CHECK(e.code() == errc::corrupt);
    return true;
  }
}

schema random_schema(std::mt19937& random, int depth) {
  const auto name = [&] { return std::string(1 + random() % 3, static_cast<char>('a' + random() % 26)); };
  schema s;
  const auto pick = depth == 0 ? random() % 2 : random() % 8;
  const auto child = [&] { s.children.push_back(random_schema(random, depth - 1)); };
  switch (pick) {
    case 0:
      s.kind = kind::scalar;
      s.code = random() % 2 ? "f32" : "duration:i64:1/1000";
      break;
    case 1: s.kind = kind::text; break;
    case 2:
    case 3: {
      child();
      if (pick == 3) s.extent = random() % 5;
      const auto& e = s.children[0];
      const bool is_leaf = e.tag.empty() && (e.kind == kind::scalar || (e.kind == kind::array && e.extent != schema::any_size));
      s.kind = is_leaf ? kind::array : kind::sequence;
      break;
    }
    case 4: s.kind = kind::map; child(); child(); break;
    case 5: s.kind = kind::optional; child(); break;
    case 6:
      s.kind = random() % 2 ? kind::tuple : kind::variant;
      for (auto n = random() % 4 + (s.kind == kind::variant ? 1 : 0); n-- > 0;) child();
      break;
    default:
      s.kind = kind::record;
      for (auto n = random() % 4; n-- > 0;) {
        s.names.push_back(name() + std::to_string(n));
        child();
      }
  }
  if (random() % 5 == 0) s.tag = name() + "<1,2>";
  return s;
}

}  // namespace

TEST_CASE("what is written is read, for every kind, tag and nesting") {
  std::mt19937 random{11};
  for (int round = 0; round < 3000; ++round) {
    const schema s = random_schema(random, 4);
    const std::string text = to_text(s);
    CAPTURE(text);
    REQUIRE(parse_schema(text) == s);
    REQUIRE(to_text(parse_schema(text)) == text);
  }
  CHECK(parse_schema("@a=@b=u8").tag == "a=@b");
}

TEST_CASE("text that is no schema is refused, and every prefix of one that is") {
  for (const char* text : {"", " ", "[", "]", "[u8", "[u8;", "[u8;]", "[u8;18446744073709551615]", "[u8;99999999999999999999]", "[u8;07]", "{a:u8}/02", "<u8>", "<u8,u8", "?", "(u8", "(u8)",
                           "(u8,u8|)", "(u8|u8,)", "{a}", "{a:}", "{:u8}", "{a:u8", "{a:u8,}", "{a:u8}}", "u8,", "{a:u8,a:u8}", "@=u8", "@a", "@a=", "{a:u8;b:u8}"}) {
    CAPTURE(text);
    CHECK(is_refused(text));
  }
  const std::string whole = "{step:u64,rows:[{a:?f32,b:(u8|text|)}],dict:<text,[f64;3]>,engine:@mt={state:[u32;624]}}";
  REQUIRE_FALSE(is_refused(whole));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) REQUIRE(is_refused(std::string_view(whole).substr(0, cut)));
}

TEST_CASE("a text of millions of types is refused before it takes memory") {
  std::string text = "(";
  for (int i = 0; i < 1'000'000; ++i) text += "(),";
  CHECK(is_refused(text + ")"));
}

TEST_CASE("no text makes the parser recurse without bound, or crash") {
  for (const char* open : {"[", "<", "?", "(", "{a:", "@a=["}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    CHECK(is_refused(text));
  }
  std::mt19937 random{5};
  constexpr std::string_view letters = "[]<>(){}?:,;|@=au81 ";
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    for (std::size_t n = random() % 24; n-- > 0;) text += letters[random() % letters.size()];
    try {
      const schema s = parse_schema(text);
      REQUIRE(parse_schema(to_text(s)) == s);
    } catch (const error&) {
    }
  }
}
