// SPDX-License-Identifier: BSL-1.0
// fuzz/schema.test.cpp: texts that may be schemas: the seeds of the fuzzer and a short walk from them.
#include "schema_target.hpp"

#include "mutate.hpp"

#include "share.hpp"

#include <doctest/doctest.h>

TEST_CASE("a text that may be a schema parses to what prints and parses as the same, or is refused, within memory that its size bounds") {
  fuzz::chance random(14);
  std::vector<fuzz::bytes> corpus = fuzz::schema_seeds();
  for (const fuzz::bytes& seed : corpus) {
    fuzz::schema_input(seed);
    CHECK_NOTHROW(static_cast<void>(tidemark::parse_schema(tidemark::detail::text_of(seed))));
  }
  const int inputs = scratch::share_of(20'000);
  for (int i = 0; i < inputs; ++i) {
    fuzz::bytes input = random.of(corpus);
    for (auto n = 1 + random.below(4); n-- > 0;) {
      fuzz::mutate_bytes(input, random, 4096);
      constexpr std::string_view marks = "@=[]<>?(){},:;|01";
      if (!input.empty()) random.of(input) = static_cast<std::byte>(marks[static_cast<std::size_t>(random.below(marks.size()))]);
    }
    CAPTURE(i);
    REQUIRE_NOTHROW(fuzz::schema_input(input));
    if (random.one_in(50)) random.of(corpus) = input;
  }
}

TEST_CASE("the shortest texts of the most types stay within the memory that their size allows") {
  for (const std::string_view piece : {"?", "[", "(", "{a:", "<", "u,", "@a=", "(u|", "{a:u,b:u}"}) {
    for (const std::size_t count : {1u, 50u, 99u, 101u, 1000u, 50'000u}) {
      std::string text = "(";
      for (std::size_t i = 0; i < count; ++i) text += piece;
      CAPTURE(piece);
      const auto raw = tidemark::detail::bytes_of(text);
      REQUIRE_NOTHROW(fuzz::schema_input(raw));
      REQUIRE_NOTHROW(fuzz::schema_input(raw.subspan(1)));
      text += ")";
      REQUIRE_NOTHROW(fuzz::schema_input(tidemark::detail::bytes_of(text)));
    }
  }
}
