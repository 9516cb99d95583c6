// SPDX-License-Identifier: BSL-1.0
// store/bulk_reader.test.cpp: many tensors on several threads, each checked, each in its place.
#include <tidemark/store/bulk_reader.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

#include <random>

using namespace tidemark;

namespace {

struct unseen {
  const memory* m;
  std::uint64_t size() const { return m->size(); }
  std::string name() const { return "unseen"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const { m->read(offset, into); }
};

}  // namespace

TEST_CASE("arrays of every size, small ones by the thousand, go where they belong on any number of threads") {
  std::mt19937 random{8};
  std::map<std::string, std::vector<std::uint8_t>> state;
  for (int i = 0; i < 3000; ++i) {
    auto& v = state["k" + std::to_string(i)];
    v.resize(i % 50 == 0 ? random() % 400'000 : random() % 2000);
    for (auto& b : v) b = static_cast<std::uint8_t>(random());
  }
  state["large"].assign(36 << 20, 7);
  const memory m = saved(state);
  for (const unsigned threads : {1u, 2u, 5u}) {
    REQUIRE(load<decltype(state)>(m, {.threads = threads}) == state);
    REQUIRE(load<decltype(state)>(unseen{&m}, {.threads = threads}) == state);
    auto target = state;
    for (auto& [key, v] : target) std::fill(v.begin(), v.end(), std::uint8_t{0});
    restore(target, unseen{&m}, {.threads = threads});
    REQUIRE(target == state);
    for (auto& [key, v] : target) v.resize(v.size() / 2);
    restore(target, m, {.threads = threads});
    REQUIRE(target == state);
  }
}

TEST_CASE("damage in any of the tensors is found by every thread count, and reported once") {
  std::map<std::string, std::vector<float>> state;
  for (int i = 0; i < 20; ++i) state["k" + std::to_string(i)].assign(300'000, static_cast<float>(i));
  const auto bytes = bytes_in(saved(state));
  std::mt19937 random{2};
  for (int round = 0; round < 40; ++round) {
    auto damaged = bytes;
    damaged[(bytes.size() / 2 + random() % (bytes.size() / 2))] ^= std::byte{4};
    CHECK_THROWS_AS(verify(memory{damaged}, {.threads = 1 + static_cast<unsigned>(random() % 4)}), error);
  }
}
