// SPDX-License-Identifier: BSL-1.0
// fuzz/mutate.test.cpp: the files that the fuzzers make get past the digests, and reach every kind of refusal.
#include "mutate.hpp"

#include "load_target.hpp"
#include "random_target.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

TEST_CASE("a file that is taken apart and put together is the same file") {
  for (const auto& seeds : {fuzz::load_seeds(), fuzz::random_seeds()}) {
    for (const fuzz::bytes& seed : seeds) CHECK(fuzz::put_together(*fuzz::taken_apart(seed)) == seed);
  }
}

TEST_CASE("what is put together verifies, and a schema that was changed has its digest again") {
  auto parts = *fuzz::taken_apart(fuzz::load_seeds()[0]);
  parts.tensors.front().content[0] ^= std::byte{1};
  for (auto& [key, value] : parts.metadata) {
    if (key == "tidemark") value.replace(value.find("step:u64"), 8, "stop:u64");
  }
  const tidemark::memory changed{fuzz::put_together(parts)};
  CHECK(tidemark::verify(changed).has_digests);
  const auto code = fuzz::outcome([&] { static_cast<void>(tidemark::load<fuzz::rich_state>(changed)); });
  CHECK(code == tidemark::errc::schema_mismatch);
}

TEST_CASE("changes are the same from run to run, and most get past the digests") {
  const fuzz::bytes seed = fuzz::load_seeds()[0];
  fuzz::chance one(1), two(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 2000; ++i) {
    const fuzz::bytes changed = fuzz::mutated(seed, one);
    REQUIRE(changed == fuzz::mutated(seed, two));
    const auto verified = fuzz::outcome([&] { static_cast<void>(tidemark::verify(tidemark::memory{changed})); });
    const auto loaded = fuzz::outcome([&] { static_cast<void>(tidemark::load<fuzz::rich_state>(tidemark::memory{changed})); });
    ++seen[verified ? "damaged" : "verified"];
    ++seen[loaded ? std::string(name_of(*loaded)) : "loaded"];
  }
  CHECK(seen["verified"] > 1000);
  for (const char* kind : {"damaged", "loaded", "corrupt", "schema_mismatch", "invalid_value", "truncated"}) {
    CAPTURE(kind);
    CHECK(seen[kind] > 0);
  }
}
