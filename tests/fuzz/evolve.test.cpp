// SPDX-License-Identifier: BSL-1.0
// fuzz/evolve.test.cpp: files of an older version that may be anything, loaded as the newer one: the seeds of the fuzzer and a short walk from them.
#include "evolve_target.hpp"

#include "mutate_schema.hpp"

#include "share.hpp"
#include "walk.hpp"

#include <doctest/doctest.h>

TEST_CASE("an older file that may be anything is loaded as the newer type, or refused with the target untouched, within memory that its size bounds") {
  fuzz::chance random(32);
  std::vector<fuzz::bytes> corpus = fuzz::evolve_seeds();
  for (const fuzz::bytes& seed : corpus) CHECK(fuzz::evolve_input(seed));
  const int inputs = scratch::share_of(4000);
  const auto change = [](fuzz::chance& r, const fuzz::bytes& input) {
    auto parts = fuzz::taken_apart(input);
    return parts && r.one_in(3) && fuzz::mutate_schema_tree(*parts, r) ? fuzz::put_together(*std::move(parts)) : fuzz::mutated(input, r);
  };
  const int accepted = fuzz::walk(corpus, random, inputs, change, fuzz::evolve_input);
  CHECK(accepted > inputs / 20);
  CHECK(accepted < 3 * inputs / 4);
}

TEST_CASE("each hostile type in each place of the schema is taken or refused, whatever it claims") {
  const auto parts = *fuzz::taken_apart(fuzz::evolve_seeds()[0]);
  for (const std::string_view hostile : fuzz::hostile_types) {
    CAPTURE(hostile);
    for (const std::string_view place : {"dropped_lists:[[text]]", "dropped_maybe:?i16", "dropped_map:@unordered=<i32,i32>", "dropped:text", "dropped_numbers:[[f32;2];2]",
                                         "left_to_migrate:[i32]", "weight:f32", "value:i32", "dropped_rows:[{"}) {
      auto changed = parts;
      for (auto& [key, value] : changed.metadata) {
        std::string replacement(place.substr(0, place.find(':') + 1));
        replacement += hostile;
        if (place.ends_with('{')) replacement += ",more:[{";
        for (std::size_t at = value.find(place); at != std::string::npos; at = value.find(place, at + replacement.size())) value.replace(at, place.size(), replacement);
      }
      CAPTURE(place);
      REQUIRE_NOTHROW(fuzz::evolve_input(fuzz::put_together(changed)));
    }
  }
}
