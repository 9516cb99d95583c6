// SPDX-License-Identifier: BSL-1.0
// store/checkpoint_source.hpp: whatever lies at a path as one source.
#include <tidemark/store/checkpoint_source.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/save.hpp>
#include <tidemark/store/sharded_directory.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace tidemark;
using numbers = std::vector<double>;

TEST_CASE("a file and a folder of shards are read by the same line") {
  const scratch::folder place;
  const numbers values{1, 2, 3};
  save(values, place / "file.safetensors");
  save(values, sharded_directory{place / "folder", {.shards = 1}});
  for (const char* name : {"file.safetensors", "folder", "folder/"}) {
    const checkpoint_source source(place / name);
    CHECK(load<numbers>(source) == values);
    CHECK(source.parts().empty() == (name[1] == 'i'));
    const checkpoint_source copy = source;
    std::filesystem::path as_path = place / name;
    CHECK(load<numbers>(checkpoint_source(as_path)) == values);
    CHECK(copy.size() == source.size());
  }
  std::filesystem::create_symlink("file.safetensors", place / "link");
  std::filesystem::create_directory_symlink("folder", place / "folder-link");
  CHECK(load<numbers>(checkpoint_source(place / "link")) == values);
  CHECK(load<numbers>(checkpoint_source(place / "folder-link")) == values);
}

TEST_CASE("a compression is used where the name says so, and only there") {
  const scratch::folder place;
  int unwrapped = 0;
  const compression counted{.suffix = ".xor", .wrap = {}, .unwrap = [&](any_source from) { ++unwrapped; return from; }};
  save(numbers{1}, place / "plain.safetensors");
  save(numbers{2}, place / "packed.safetensors.xor");
  CHECK(load<numbers>(checkpoint_source(place / "plain.safetensors", counted)) == numbers{1});
  CHECK(unwrapped == 0);
  CHECK(load<numbers>(checkpoint_source(place / "packed.safetensors.xor", counted)) == numbers{2});
  CHECK(unwrapped == 1);
  scratch::put(place / "packed.safetensors.zst", "x");
  CHECK(scratch::code_of([&] { checkpoint_source source(place / "packed.safetensors.zst", counted); }) == "unsupported");
}

TEST_CASE("what is no checkpoint is an error of the right kind") {
  const scratch::folder place;
  CHECK(scratch::code_of([&] { checkpoint_source source(place / "none"); }) == "not_found");
  CHECK(scratch::code_of([&] { checkpoint_source source(""); }) == "not_found");
  CHECK(scratch::code_of([&] { checkpoint_source source(std::string("a\0b", 3)); }) == "unsafe_path");
  CHECK(scratch::code_of([&] { checkpoint_source source(place.path()); }) == "not_found");  // a folder without a manifest
  CHECK(scratch::code_of([&] { checkpoint_source source("/dev/null"); }) == "unsafe_path");
}
