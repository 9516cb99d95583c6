// SPDX-License-Identifier: BSL-1.0
// tests/zstd/zstd_compression.test.cpp: zstd as a value that anything can take which knows no zstd.
#include <tidemark/zstd/zstd_compression.hpp>

#include <tidemark/sink/atomic_file.hpp>

#include <doctest/doctest.h>
#include "samples.hpp"

using namespace tidemark;

TEST_CASE("zstd_compression wraps any sink and unwraps any source, at its level") {
  scratch::folder folder;
  const std::string text = samples::mixed(100'000);
  const compression fast = zstd_compression(1), small = zstd_compression(19, {.threads = 1});
  CHECK(fast.suffix == ".zst");
  for (const compression* c : {&fast, &small}) {
    const std::string path = folder / "x" + c->suffix;
    any_sink sink = c->wrap(atomic_file{path});
    CHECK(sink.name() == path);
    CHECK(scratch::save_text(sink, text) == durability::power);
    CHECK((samples::all_of(c->unwrap(file_source{path})) == text));
  }
  CHECK(scratch::fs::file_size(folder / "x.zst") == samples::compressed(text, 19, {}).size());
  CHECK(scratch::code_of([] { zstd_compression(0); }) == "unsupported");
  CHECK(scratch::code_of([] { zstd_compression(3, {.block_bytes = 1}); }) == "unsupported");
}
