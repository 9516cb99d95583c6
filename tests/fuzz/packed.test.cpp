// SPDX-License-Identifier: BSL-1.0
// fuzz/packed.test.cpp: bytes that may be packed values: the seeds of the fuzzer, a short walk from them, and counts that no bytes stand for.
#include "packed_target.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

using tidemark::detail::append_count;

TEST_CASE("bytes that may be a packed value are unpacked to what packs to them, or refused, within memory that their number bounds") {
  fuzz::chance random(42);
  std::vector<fuzz::bytes> corpus = fuzz::packed_seeds();
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    CAPTURE(i);
    bool is_accepted = false;
    REQUIRE_NOTHROW(is_accepted = fuzz::packed_input(corpus[i]));
    if (i < 4) CHECK(is_accepted);
  }
  const int inputs = scratch::share_of(20'000);
  const int accepted = fuzz::walk_bytes(corpus, random, inputs, fuzz::packed_input);
  CHECK(accepted > inputs / 50);
  CHECK(accepted < 19 * inputs / 20);
}

TEST_CASE("containers inside one another that each ask for all that is left take no memory for it") {
  for (const auto kind : {fuzz::packed_as::unordered_tree, fuzz::packed_as::older_tree, fuzz::packed_as::newer_tree, fuzz::packed_as::state}) {
    for (const std::uint64_t count : {1'000u, 5'000u, 50'000u, 99'000u}) {
      std::string content;
      while (content.size() < 100'000) append_count(content, count - content.size() % count);
      CAPTURE(count);
      bool is_accepted = true;
      REQUIRE_NOTHROW(is_accepted = fuzz::packed_input(fuzz::packed_input_of(kind, content)));
      CHECK_FALSE(is_accepted);
      content.insert(0, 4, '\0');  // behind a first member of four bytes
      REQUIRE_NOTHROW(fuzz::packed_input(fuzz::packed_input_of(kind, content)));
    }
  }
}

TEST_CASE("elements that take no bytes are few, and any number of them is passed over at once") {
  fuzz::packed_state many = fuzz::sample_packed(0);
  many.nothing.resize(tidemark::detail::max_packed_empty_bytes);
  std::string content;
  REQUIRE_NOTHROW(content = fuzz::packed_bytes_of(many));
  CHECK(fuzz::packed_input(fuzz::packed_input_of(fuzz::packed_as::state, content)));
  many.nothing.resize(tidemark::detail::max_packed_empty_bytes + 1);
  CHECK_THROWS_AS(static_cast<void>(fuzz::packed_bytes_of(many)), tidemark::error);
  std::string all;
  append_count(all, UINT64_MAX - 1);
  for (const std::string_view type : {"[{}]", "[()]", "[!{}]", "[[{};3]]", "[[f32;0]]", "<(),()>", "<[u8;0],{a:!{}}>", "[{a:[[!{};7];9]}]", "[{};18446744073709551614]", "[!{};18446744073709551614]"}) {
    CAPTURE(type);
    CHECK(fuzz::packed_input(fuzz::schema_input_of("{a:" + std::string(type) + '}', all)));
  }
}

TEST_CASE("codes that go on and on are no numbers, and take no stack") {
  for (const std::string_view prefix : {"complex:", "enum:", "duration:", "system_time:"}) {
    std::string code;
    for (int i = 0; i < 200'000; ++i) code += prefix;
    CAPTURE(prefix);
    CHECK_THROWS_AS(static_cast<void>(tidemark::detail::layout_of_scalar(code + "u8")), tidemark::error);
  }
  CHECK(tidemark::detail::layout_of_scalar("complex:f64").bytes == 16);
  CHECK(tidemark::detail::layout_of_scalar("duration:i64:1/1000").bytes == 8);
}
