// SPDX-License-Identifier: BSL-1.0
// whole/shards.cpp: sharded checkpoints for shards.test.py to read in Python.
//
//   shards write FOLDER     whole.safetensors, and the same state in folders of shards
//   shards verify FOLDER    exit status 0, or 1 and the error
#include <tidemark/sharded.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct layer {
  std::vector<std::array<float, 3>> weight;
  std::vector<float> bias;
};
struct state {
  std::uint64_t step = 12;
  std::vector<layer> layers;
  std::map<std::string, std::vector<double>> moments{{"a/../b", {1, 2}}, {"\"quoted\\\"\n", {}}, {"\xc3\xa9", {3}}};
  std::string name = "tide";
  std::optional<float> best;
  std::vector<bool> flags{true, false, true};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(70'000, 9);
};

state sample() {
  state s;
  for (std::size_t i = 0; i < 12; ++i) {
    s.layers.push_back({std::vector<std::array<float, 3>>(10 * i, {1, 2, static_cast<float>(i)}), std::vector<float>(i, 0.5F)});
  }
  return s;
}

void write(const std::string& folder) {
  using namespace tidemark;
  const state s = sample();
  const save_options options{.metadata = {{"step", "12"}}, .progress = {}, .cancel = {}};
  const auto into = [&](const char* name, sharding how) { save(s, sharded_directory{folder + "/" + name, how}, options); };
  save(s, folder + "/whole.safetensors", options);
  into("one", {.shards = 1});
  into("three", {.shards = 3});
  into("in_turn", {.shards = 4, .assign = round_robin});
  into("many", {.shards = 1000});
  into("small", {.max_shard_bytes = 4000});
  into("groups", {.assign = by_group([](std::string_view name) { return std::string(name.substr(0, name.find('.'))); })});
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view action = count == 3 ? arguments[1] : "";
  try {
    if (action == "write") return write(arguments[2]), 0;
    if (action == "verify") return static_cast<void>(tidemark::verify(tidemark::sharded_source{arguments[2]})), 0;
  } catch (const tidemark::error& e) {
    return std::printf("%s\n", e.what()), 1;
  }
  return std::fputs("shards write FOLDER | verify FOLDER\n", stderr), 2;
}
