// SPDX-License-Identifier: BSL-1.0
// tests/zstd/sharded.test.cpp: shards and the checkpoints of a run, compressed.
#include <tidemark/run/checkpointer.hpp>
#include <tidemark/zstd/zstd_compression.hpp>

#include <doctest/doctest.h>
#include "sink/scratch.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

struct counted {
  std::uint64_t step = 0;
  std::vector<float> zeros, ones;
  bool operator==(const counted&) const = default;
};

}  // namespace

TEST_CASE("a run saves compressed, as files and as shards, and goes on from what it saved") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder folder;
    counted state{0, std::vector<float>(300'000), std::vector<float>(300'000, 1)};
    const checkpointer_options options{.every_steps = 1, .keep_last = 2, .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt,
                                       .compression = zstd_compression(1)};
    {
      checkpointer run{folder / "run", options};
      CHECK_FALSE(run.resume(state));
      for (state.step = 1; state.step <= 4; ++state.step) CHECK(run.tick(state, state.step).saved);
      --state.step;
      const auto saved = run.save(state, state.step);
      CHECK(saved.bytes < 100'000);
    }
    counted resumed;
    checkpointer run{folder / "run", options};
    const auto at = run.resume(resumed);
    REQUIRE(at);
    CHECK(at->step == 4);
    CHECK(resumed == state);

    // Without the compression it says what is missing.
    counted other;
    CHECK_THROWS_AS(static_cast<void>(tidemark::resume(other, folder / "run")), error);
    CHECK(tidemark::resume(other, folder / "run", {.compression = zstd_compression()}));
    CHECK(other == state);
  }
}

TEST_CASE("zstd -d gives back each shard as a plain safetensors file") {
  if (std::system("zstd --version >/dev/null 2>&1") != 0) {
    MESSAGE("there is no zstd here");
    return;
  }
  const scratch::folder folder;
  const counted state{7, std::vector<float>(300'000), std::vector<float>(300'000, 1)};
  save(state, sharded_directory{folder / "packed", {.shards = 3, .compression = zstd_compression(3)}});
  save(state, sharded_directory{folder / "plain", {.shards = 3}});
  for (const char* shard : {"model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors", "model-00003-of-00003.safetensors"}) {
    const std::string packed = (folder / "packed") + '/' + shard + ".zst";
    REQUIRE(std::system(("zstd -q -d -f " + packed + " -o " + (folder / "back")).c_str()) == 0);
    CHECK(scratch::content(folder / "back") == scratch::content((folder / "plain") + '/' + shard));
  }
  CHECK(load<counted>(sharded_source{folder / "packed", zstd_compression()}) == state);
}
