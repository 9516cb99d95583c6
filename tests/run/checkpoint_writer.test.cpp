// SPDX-License-Identifier: BSL-1.0
// run/checkpoint_writer.hpp: one planned state into one checkpoint of a run.
#include <tidemark/archive/encode.hpp>
#include <tidemark/run/checkpoint_writer.hpp>
#include <tidemark/store/identity.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace tidemark;
using file_writer = detail::checkpoint_writer<file_ops>;

TEST_CASE("a file or a folder is written under its name, and its digest is known before") {
  const std::vector<double> state{1, 2, 3};
  const auto plan = detail::plan_of(state);
  const std::string& identity = detail::identity_text_of<std::vector<double>>();
  const detail::checkpoint_label label{{.sequence = 7, .step = 12}, {{"loss", 0.5}}, {{"commit", "1f0c"}}};
  for (const bool is_sharded : {false, true}) {
    for (const durability level : {durability::none, durability::process, durability::power}) {
      const scratch::folder place;
      const file_writer to{.folder = place.path(), .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .durability = level, .compression = {}, .cancel = {}, .ops = {}};
      const saved_checkpoint saved = to.write(plan, identity, label);
      CHECK(saved.path == place / (is_sharded ? "step-12-7" : "step-12-7.safetensors"));
      CHECK(saved.path == to.path_of(label.name));
      CHECK(saved.step == 12);
      CHECK(saved.sequence == 7);
      CHECK(saved.level == level);
      CHECK(saved.seconds > 0);
      std::uint64_t bytes = is_sharded ? 0 : fs::file_size(saved.path);
      for (const auto& entry : is_sharded ? fs::directory_iterator(saved.path) : fs::directory_iterator()) bytes += entry.file_size();
      CHECK(saved.bytes == bytes);
      CHECK(saved.digest == to.digest(plan, identity, label));
      detail::checkpoint_label other = label;
      other.metrics[0].second = 0.25;
      CHECK(saved.digest != to.digest(plan, identity, other));
      CHECK(scratch::code_of([&] { static_cast<void>(to.write(plan, identity, label)); }) == "exists");
      CHECK(place.entries() == 1);
    }
  }
}

TEST_CASE("a save that is cancelled or fails leaves nothing, and its error names the checkpoint") {
  const std::vector<double> state{1, 2, 3};
  const auto plan = detail::plan_of(state);
  const std::string& identity = detail::identity_text_of<std::vector<double>>();
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    const file_writer to{.folder = place.path(), .shards = is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, .compression = {}, .cancel = cancellation([] { return true; }), .ops = {}};
    const auto failure = scratch::failure_of([&] { static_cast<void>(to.write(plan, identity, {{.sequence = 1, .step = 2}, {}, {}})); });
    REQUIRE(failure);
    CHECK(failure->code() == errc::cancelled);
    CHECK(std::string(failure->what()).find("step-2-1") != std::string::npos);
    CHECK(place.entries() == 0);
    CHECK(scratch::code_of([&] { static_cast<void>(to.write(plan, identity, {{}, {}, {{"step", "1"}}})); }) == "unsupported");
    CHECK(place.entries() == 0);
  }
}
