// SPDX-License-Identifier: BSL-1.0
// model/schema_diff.test.cpp: every path at which a type and a file differ.
#include <tidemark/model/schema_diff.hpp>
#include <tidemark/model/schema_text.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tidemark;

namespace {

std::string diff(std::string_view here, std::string_view file) { return to_text(differences(parse_schema(here), parse_schema(file))); }

}  // namespace

TEST_CASE("the order of members is no difference, at any depth") {
  CHECK(diff("{a:u8,b:{c:u8,d:u8}}", "{b:{d:u8,c:u8},a:u8}") == "");
}

TEST_CASE("missing, extra and changed members are listed with their paths and both types") {
  CHECK(diff("{optimizer:{lr:f32},layers:[{weight:[f32]}],step:u64}", "{optimizer:{rate:f32},layers:[{weight:[f64]}],step:u64}") ==
        "  missing in the file   optimizer.lr      f32\n"
        "  only in the file      optimizer.rate    f32\n"
        "  different             layers.*.weight   [f64] there, [f32] here\n");
}

TEST_CASE("a change of any part of any kind is seen") {
  const char* const types[] = {"u8", "i8", "u16", "text", "[u8]", "[u8;2]", "[u8;3]", "[text]", "[text;2]", "<u8,u8>", "<text,u8>", "<u8,text>", "?u8", "?text",
                               "(u8|text|)", "(text|u8|)", "(u8|)", "(u8,)", "(u8,text,)", "()", "{}", "{a:u8}", "{b:u8}", "{a:u8,b:u8}", "{a:text}",
                               "@x=u8", "@y=u8", "@x={a:u8}", "enum:u8", "duration:i64:1/1", "duration:i64:1/1000"};
  for (const char* here : types) {
    for (const char* file : types) {
      CAPTURE(here);
      CAPTURE(file);
      for (const std::string wrap : {"%", "{m:%}", "[%]", "<u8,%>", "?%", "(%,)", "{m:{n:[?%]}}"}) {
        const auto in = [&](const char* type) { return std::string(wrap).replace(wrap.find('%'), 1, type); };
        REQUIRE(diff(in(here), in(file)).empty() == (here == file));
      }
    }
  }
  CHECK(diff("<u8,u8>", "<i8,u8>").find("<key>") != std::string::npos);
}
