// SPDX-License-Identifier: BSL-1.0
// store/identity.test.cpp: what an archive says of itself, and the digest of its schema.
#include <tidemark/model/schema_text.hpp>
#include <tidemark/store/identity.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;

namespace {

std::string refusal(std::string_view text) {
  try {
    detail::parse_identity(text);
    return "none";
  } catch (const error& e) {
    return std::string(name_of(e.code()));
  }
}

}  // namespace

TEST_CASE("the entry has the version, the digest and its block, the schema's digest and the schema") {
  const std::string text = detail::identity_text(schema_of<sample>());
  // python: xxhash.xxh3_128(b"{id:u32,label:text,score:?f64}").hexdigest()
  CHECK(text == "1 xxh3-128 16777216 fcc28cfb8583038112ed1f31c2ff4c8e {id:u32,label:text,score:?f64}");
  const auto id = detail::parse_identity(text);
  CHECK(id.version == 1);
  CHECK(id.schema_text == "{id:u32,label:text,score:?f64}");
}

TEST_CASE("an entry of a newer format and one that is none are told apart") {
  const std::string rest = " xxh3-128 16777216 00 {}";
  CHECK(refusal("1" + rest) == "none");
  CHECK(refusal("2" + rest) == "newer_version");
  CHECK(refusal("999999999999999999" + rest) == "newer_version");
  for (const std::string wrong : {"", "1", "x", "0 xxh3-128 16777216 00 {}", "1 sha256 16777216 00 {}", "1 xxh3-128 1 00 {}", "1 xxh3-128 16777216 00", "-1 xxh3-128 16777216 00 {}", "01 xxh3-128 16777216 00 {}", "1 xxh3-128 016777216 00 {}",
                                  "9999999999999999999999 xxh3-128 16777216 00 {}"}) {
    CAPTURE(wrong);
    CHECK(refusal(wrong) == "corrupt");
  }
}

TEST_CASE("the same schema passes, another order of members passes, another digest does not") {
  const schema here = parse_schema("{a:u8,b:text}");
  const std::string own = detail::identity_text(here);
  const auto check = [&](const std::string& stored) { static_cast<void>(detail::require_schema(detail::parse_identity(stored), here, own)); };
  CHECK_NOTHROW(check(own));
  CHECK_NOTHROW(check(detail::identity_text(parse_schema("{b:text,a:u8}"))));
  CHECK_THROWS_AS(check(detail::identity_text(parse_schema("{b:text,a:f32}"))), error);
  CHECK_THROWS_AS(check(detail::identity_text(parse_schema("{x:u8,a:u8,b:text}"))), error);
  std::string wrong_digest = detail::identity_text(parse_schema("{b:text,a:u8}"));
  wrong_digest[24] = wrong_digest[24] == '0' ? '1' : '0';
  CHECK_THROWS_AS(check(wrong_digest), error);
  CHECK_THROWS_AS(check("1 xxh3-128 16777216  {a:u8,b:text}"), error);
  std::string wrong_own = own;
  wrong_own[24] = wrong_own[24] == '0' ? '1' : '0';
  CHECK_THROWS_AS(check(wrong_own), error);
}
