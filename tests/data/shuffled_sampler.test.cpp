// SPDX-License-Identifier: BSL-1.0
// tests/data/shuffled_sampler.test.cpp: what a user of shuffled_sampler may rely on.
#include <tidemark/data/shuffled_sampler.hpp>
#include <tidemark/model/checkpointable.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;

namespace {

constexpr std::uint64_t largest = ~std::uint64_t{0};

static_assert(Checkpointable<shuffled_sampler>);
static_assert(shuffled_sampler::checkpoint_name == std::string_view("shuffled_sampler.1"));

template <class F>
std::string refused_field(F act) {
  try {
    act();
    return "accepted";
  } catch (const error& e) {
    return e.code() == errc::invalid_value && !e.found().empty() ? e.tensor() : "unclear";
  }
}

}  // namespace

TEST_CASE("each epoch hands out every index once, in an order of its own") {
  for (const std::uint64_t size : {1u, 2u, 5u, 100u, 300u}) {
    shuffled_sampler order(size, 7);
    std::vector<std::uint64_t> before;
    for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
      std::vector<bool> seen(size);
      std::vector<std::uint64_t> now;
      for (std::uint64_t position = 0; position < size; ++position) {
        REQUIRE(order.epoch() == epoch);
        REQUIRE(order.cursor() == position);
        now.push_back(order.next());
        REQUIRE(now.back() < size);
        REQUIRE(!seen[now.back()]);
        seen[now.back()] = true;
      }
      if (size >= 100) CHECK(now != before);
      before = now;
    }
    CHECK(order.size() == size);
    CHECK(order.seed() == 7);
  }
}

TEST_CASE("a sampler resumes at every item of three epochs, also between two of them") {
  for (const std::uint64_t size : {1u, 2u, 7u, 60u}) {
    shuffled_sampler uninterrupted(size, 3);
    std::vector<std::uint64_t> stream;
    for (std::uint64_t k = 0; k < 6 * size; ++k) stream.push_back(uninterrupted.next());
    shuffled_sampler original(size, 3);
    for (std::uint64_t drawn = 0; drawn <= 3 * size; ++drawn, original.next()) {
      const auto state = original.snapshot();
      CHECK(state.cursor < size);
      CHECK(state == shuffled_sampler_state{size, 3, drawn / size, drawn % size});
      shuffled_sampler resumed(1000, 99);  // another data set, seed and position
      resumed.next();
      resumed.restore(state);
      REQUIRE(resumed == original);
      REQUIRE(resumed.snapshot() == state);
      for (std::uint64_t k = drawn; k < stream.size(); ++k) REQUIRE(resumed.next() == stream[k]);
      REQUIRE(resumed == uninterrupted);
    }
  }
}

TEST_CASE("saved, resumed and saved again after every item, the stream is the uninterrupted one") {
  shuffled_sampler uninterrupted(13, 5), chained(13, 5);
  for (int k = 0; k < 60; ++k) {
    shuffled_sampler next;
    next.restore(chained.snapshot());
    REQUIRE(next.next() == uninterrupted.next());
    chained = next;
  }
}

TEST_CASE("any position of any epoch can be looked up and sought") {
  const shuffled_sampler order(500, 11);
  shuffled_sampler walker(500, 11);
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    for (std::uint64_t position = 0; position < 500; ++position) REQUIRE(order.at(epoch, position) == walker.next());
  }
  CHECK(order == shuffled_sampler(500, 11));  // looking up moves nothing
  for (const std::uint64_t epoch : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{1} << 40, largest}) {
    for (const std::uint64_t position : {0u, 250u, 499u}) {
      shuffled_sampler sought(500, 11);
      sought.seek(epoch, position);
      CHECK(sought.epoch() == epoch);
      CHECK(sought.cursor() == position);
      CHECK(sought.next() == order.at(epoch, position));
    }
  }
}

TEST_CASE("the largest data sets work") {
  for (const std::uint64_t size : {(std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32, std::uint64_t{1} << 63, largest}) {
    shuffled_sampler order(size, 2);
    const std::uint64_t last = order.at(0, size - 1), first_of_next = order.at(1, 0);
    order.seek(0, size - 1);
    CHECK(order.next() == last);
    CHECK(order.epoch() == 1);
    CHECK(order.cursor() == 0);
    CHECK(order.next() == first_of_next);
  }
}

TEST_CASE("samplers are equal when they would hand out the same items from the same data set") {
  shuffled_sampler a(10, 1), b(10, 1);
  CHECK(a == b);
  a.next();
  CHECK(a != b);
  b.next();
  CHECK(a == b);
  CHECK(shuffled_sampler(10, 1) != shuffled_sampler(11, 1));
  CHECK(shuffled_sampler(10, 1) != shuffled_sampler(10, 2));
  a.seek(1, 1);
  CHECK(a != b);
}

TEST_CASE("an empty sampler can be saved and restored, but has no next item") {
  shuffled_sampler empty;
  CHECK(empty.size() == 0);
  CHECK(refused_field([&] { empty.next(); }) == "");
  CHECK(refused_field([&] { static_cast<void>(empty.at(0, 0)); }) == "");
  CHECK(refused_field([&] { empty.seek(0, 0); }) == "");
  shuffled_sampler other(5, 6);
  other.restore(empty.snapshot());
  CHECK(other == empty);
  other.restore(shuffled_sampler(0, 8).snapshot());
  CHECK(other.seed() == 8);
}

TEST_CASE("positions and states that no sampler has are refused, and it stays where it was") {
  shuffled_sampler order(10, 1);
  order.seek(2, 3);
  const shuffled_sampler before = order;
  for (const std::uint64_t position : {std::uint64_t{10}, std::uint64_t{11}, largest}) {
    CHECK(refused_field([&] { static_cast<void>(order.at(0, position)); }) == "");
    CHECK(refused_field([&] { order.seek(0, position); }) == "");
    CHECK(refused_field([&] { order.restore({10, 1, 0, position}); }) == "cursor");
  }
  CHECK(refused_field([&] { order.restore({0, 1, 0, 1}); }) == "cursor");
  CHECK(refused_field([&] { order.restore({0, 1, 1, 0}); }) == "epoch");
  CHECK(order == before);
  CHECK(order.next() == before.at(2, 3));
}
