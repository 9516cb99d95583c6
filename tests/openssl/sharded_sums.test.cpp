// SPDX-License-Identifier: BSL-1.0
// tests/openssl/sharded_sums.test.cpp: a folder of shards with a list that `sha256sum -c` checks.
#include <tidemark/openssl/sha256_sums.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/sharded_directory.hpp>
#include <tidemark/store/sharded_source.hpp>

#include <doctest/doctest.h>
#include "sink/scratch.hpp"

#include <cstdlib>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

struct two_arrays {
  std::vector<float> a, b;
  bool operator==(const two_arrays&) const = default;
};

int checked(const std::string& folder) { return std::system(("cd " + folder + " && sha256sum --strict -c SHA256SUMS >/dev/null 2>&1").c_str()); }

}  // namespace

TEST_CASE("sha256sum -c checks a folder of shards, and sees each of its files damaged") {
  if (std::system("sha256sum --version >/dev/null 2>&1") != 0) {
    MESSAGE("there is no sha256sum here");
    return;
  }
  const scratch::folder folder;
  const std::string path = folder / "step-1";
  const two_arrays state{{1, 2, 3}, std::vector<float>(100'000, 4)};
  save(state, sharded_directory{path, {.shards = 2, .sums = sha256_sums()}});
  CHECK(load<two_arrays>(sharded_source{path}) == state);
  CHECK(checked(path) == 0);
  for (const char* name : {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json"}) {
    const std::string whole = scratch::content(path + '/' + name);
    std::string damaged = whole;
    damaged[damaged.size() / 2] ^= 1;
    scratch::put(path + '/' + name, damaged);
    CHECK(checked(path) != 0);
    scratch::put(path + '/' + name, whole);
  }
  CHECK(checked(path) == 0);

  // The list is a file of the checkpoint like any other: the manifest has its digest.
  scratch::put(path + "/SHA256SUMS", "nothing\n");
  CHECK_THROWS_AS(sharded_source{path}, error);
}
