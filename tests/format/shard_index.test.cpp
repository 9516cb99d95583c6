// SPDX-License-Identifier: BSL-1.0
// format/shard_index.test.cpp: the index and the names of shards as Hugging Face's libraries expect them.
#include <tidemark/format/shard_index.hpp>

#include <tidemark/format/manifest.hpp>

#include <doctest/doctest.h>
#include "read_index.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tidemark::detail;

TEST_CASE("a shard's name says which of how many it is, in at least five digits") {
  CHECK(shard_name(0, 1) == "model-00001-of-00001.safetensors");
  CHECK(shard_name(1, 4) == "model-00002-of-00004.safetensors");
  CHECK(shard_name(99'998, 99'999) == "model-99999-of-99999.safetensors");
  CHECK(shard_name(99'999, 100'000) == "model-100000-of-100000.safetensors");
}

TEST_CASE("no two shards have one name, and each is a name that the manifest may list") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{1000}, std::size_t{100'001}}) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      names.insert(shard_name(i, count));
      if (!is_flat_name(*names.rbegin())) FAIL(*names.rbegin());
    }
    CHECK(names.size() == count);
  }
  CHECK(is_flat_name(shard_index_name));
}

TEST_CASE("an index is JSON that maps every tensor, whatever its name, to its file, and sums up their bytes") {
  const std::string odd = "a\"b\\c\n\x01\xc3\xa9/../x";
  shard_index_writer index;
  index.add("w", 24, "one");
  index.add(odd, 0, "two");
  index.add("", std::uint64_t{1} << 60, "one");
  const auto read = read_index(index.text());
  REQUIRE(read);
  CHECK(read->total_size == (std::uint64_t{1} << 60) + 24);
  CHECK(read->weight_map == std::vector<std::pair<std::string, std::string>>{{"w", "one"}, {odd, "two"}, {"", "one"}});
}

TEST_CASE("an index of no tensors is JSON too") {
  const auto read = read_index(shard_index_writer{}.text());
  REQUIRE(read);
  CHECK(read->total_size == 0);
  CHECK(read->weight_map.empty());
}
