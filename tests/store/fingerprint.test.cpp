// SPDX-License-Identifier: BSL-1.0
// store/fingerprint.test.cpp: equal where the files would be equal, different where any bit of them would differ.
#include <tidemark/store/fingerprint.hpp>

#include <doctest/doctest.h>

#include <tidemark/store/open.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "trainer.hpp"

using namespace tidemark;

namespace {

/// What the file has as its digest of digests: its last tensor begins with it.
template <class T>
digest128 stored_by(const T& state) {
  const auto bytes = bytes_in(saved(state));
  const auto header = detail::read_header(bytes.size(), [&](std::uint64_t at, std::span<std::byte> into) { std::memcpy(into.data(), bytes.data() + at, into.size()); });
  digest128 own;
  std::memcpy(own.bytes.data(), bytes.data() + header.data_start + header.find(detail::digests_name)->offset, 16);
  return own;
}

struct named {
  static constexpr std::string_view checkpoint_name = "named";
  std::uint32_t a = 1;
  std::uint32_t b = 2;
};

}  // namespace

TEST_CASE("the fingerprint is the digest of digests that a file of the value has, also over several blocks") {
  CHECK(fingerprint(trainer{}) == stored_by(trainer{}));
  CHECK(fingerprint(5) == stored_by(5));
  std::vector<std::uint32_t> large(9 << 20);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::uint32_t>(i);
  CHECK(fingerprint(large) == stored_by(large));
  const digest128 before = fingerprint(large);
  for (const std::size_t at : {std::size_t{0}, (std::size_t{4} << 20) - 1, std::size_t{4} << 20, large.size() - 1}) {
    large[at] ^= 1u << 31;
    CHECK(fingerprint(large) != before);
    large[at] ^= 1u << 31;
  }
  CHECK(fingerprint(large) == before);
}

TEST_CASE("two values have one fingerprint if and only if their files are equal") {
  std::vector<trainer> all(1);
  const auto change = [&](auto f) { f(all.emplace_back()); };
  change([](trainer&) {});
  change([](trainer& t) { t.step = 43; });
  change([](trainer& t) { t.weights[1] = 0.0f; });  // +0 and -0 are two states
  change([](trainer& t) { t.weights[0] = std::numeric_limits<float>::quiet_NaN(); });
  change([](trainer& t) { t.weights[0] = -std::numeric_limits<float>::quiet_NaN(); });
  change([](trainer& t) { t.weights.push_back(0); });
  change([](trainer& t) { std::swap(t.optimizer.m, t.optimizer.v); });
  change([](trainer& t) { t.layers.pop_back(); });
  change([](trainer& t) { t.layers[0].weight.clear(); });
  change([](trainer& t) { t.samples[0].label = "ca"; t.samples[1].label = "tdog"; });  // the same text, divided in another way
  change([](trainer& t) { t.samples[1].score = 0.0; });
  change([](trainer& t) { t.history["lost"] = t.history["loss"]; t.history.erase("loss"); });
  change([](trainer& t) { t.choice = 5; });
  change([](trainer& t) { t.flags[0] = false; });
  for (const trainer& a : all) {
    for (const trainer& b : all) {
      const auto bytes_a = bytes_in(saved(a));
      const auto bytes_b = bytes_in(saved(b));
      CHECK((fingerprint(a) == fingerprint(b)) == (bytes_a == bytes_b));
    }
  }
}

TEST_CASE("values of two types differ, also where their tensors do not") {
  struct one {
    std::uint32_t a = 1;
    std::uint32_t b = 2;
  };
  struct other {  // another order in the file
    std::uint32_t b = 2;
    std::uint32_t a = 1;
  };
  CHECK(fingerprint(one{}) != fingerprint(other{}));
  CHECK(fingerprint(one{}) != fingerprint(named{}));
}

TEST_CASE("an opened file knows the fingerprint of its value, whatever metadata lie beside it") {
  const trainer state;
  CHECK(open(saved(state)).fingerprint() == fingerprint(state));
  CHECK(open(saved(state, {.metadata = {{"a", "b"}, {"z", ""}}})).fingerprint() == fingerprint(state));
  trainer changed;
  changed.optimizer.v[2] = 5;
  CHECK(open(saved(changed)).fingerprint() != fingerprint(state));
}
