// SPDX-License-Identifier: BSL-1.0
// archive/borrowed.test.cpp: memory of the program is saved from where it lies and restored into it, or nothing is touched.
#include <tidemark/archive/borrowed.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/array_blocks.hpp>

#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "held_tensors.hpp"

using namespace tidemark;

namespace {

struct part {
  array_ref<float, 2> weight;
  std::span<double> bias;
};
struct state {
  int step = 0;
  part first;
  std::vector<part> more;
  std::map<std::string, array_ref<float>> named;
  std::tuple<std::span<std::uint8_t, 4>, int> pair{std::span<std::uint8_t, 4>{bytes}, 0};
  std::map<int, part> numbered;
  named_tensors extra;

  static inline std::uint8_t bytes[4] = {1, 2, 3, 4};
};
static_assert(Restorable<state> && !Checkpointable<state> && Checkpointable<named_tensors> && Restorable<array_ref<int, 3>>);
static_assert(!Restorable<std::vector<array_ref<float>>> && !Restorable<std::span<const float>> && !Restorable<std::optional<part>> && !Restorable<std::multimap<std::string, part>>);

/// The memory behind a state.
struct memory_of_state {
  std::vector<float> floats = std::vector<float>(40);
  std::vector<double> doubles = std::vector<double>(12);

  explicit memory_of_state(int start) {
    std::iota(floats.begin(), floats.end(), static_cast<float>(start));
    std::iota(doubles.begin(), doubles.end(), start);
  }
  state view() {
    state s;
    s.first = {{floats.data(), {2, 3}}, std::span(doubles).first(2)};
    s.more = {{{floats.data() + 6, {1, 2}, {2, 1}}, std::span(doubles).subspan(2, 3)}, {{floats.data() + 8, {2, 2}, {1, 2}}, {}}};
    s.named["a.b"] = {floats.data() + 12, {5}};
    s.named["strided"] = {floats.data() + 18, {3}, {2}};
    s.numbered[-4] = {{floats.data() + 24, {3, 1}}, std::span(doubles).subspan(6, 1)};
    s.extra.view("v", array_ref{floats.data() + 28, {2, 2}});
    s.extra.add<int>("own", std::vector<int>{1, 2, 3});
    return s;
  }
};

void restore(const held::tensors& all, state& s) {
  held::input in(all);
  detail::require_state_fits(in, s);
  held::decode(all, s);
}

}  // namespace

TEST_CASE("what the program owns is restored where it lies, strided or dense, and nothing between is touched") {
  memory_of_state one(1), two(1000);
  state s = one.view();
  s.step = 7;
  const auto all = held::encode(s);
  state t = two.view();
  t.extra.add<double>("other", std::vector<double>{1});
  restore(all, t);
  CHECK(t.step == 7);
  CHECK(held::encode(t) == all);
  CHECK(two.doubles[0] == 1);
  CHECK(two.doubles[5] == 1005);   // between the parts
  CHECK(two.floats[19] == 1019);   // between the strides
  CHECK(two.floats[20] == 21);
  CHECK(two.floats[9] == one.floats[9]);
  CHECK(t.more[1].weight.data() == two.floats.data() + 8);
  CHECK_FALSE(t.extra.contains("other"));
  CHECK(t.extra.get<int>("own")[2] == 3);
}

TEST_CASE("a column-major array is stored in the order of its extents") {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  const auto all = held::encode(array_ref{memory.data(), {2, 3}, {1, 2}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].shape == std::vector<std::uint64_t>{2, 3});
  std::vector<float> stored(6);
  std::memcpy(stored.data(), all[0].bytes.data(), 24);
  CHECK(stored == std::vector<float>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("whatever does not fit is refused before anything is touched") {
  memory_of_state one(1), two(1000);
  const auto all = held::encode(one.view());
  const auto refused = [&](auto change) {
    state t = two.view();
    change(t);
    const auto floats = two.floats;
    const auto doubles = two.doubles;
    CHECK_THROWS_AS(restore(all, t), tidemark::error);
    CHECK(two.floats == floats);
    CHECK(two.doubles == doubles);
  };
  refused([&](state& t) { t.first.weight = {two.floats.data(), {3, 2}}; });
  refused([&](state& t) { t.first.bias = std::span(two.doubles).first(1); });
  refused([&](state& t) { t.more.pop_back(); });
  refused([&](state& t) { t.more.emplace_back(); });
  refused([&](state& t) { t.named.erase("a.b"); });
  refused([&](state& t) { t.named["z"] = {two.floats.data(), {5}}; });
  refused([&](state& t) { t.named["a.b"] = {two.floats.data(), {4}}; });
  refused([&](state& t) { t.numbered.clear(); });
  refused([&](state& t) { t.numbered[-4].weight = {}; });
  refused([&](state& t) { t.extra.view("v", array_ref{two.floats.data(), {4}}); });
  refused([&](state& t) { t.extra.view("v", array_ref{two.doubles.data(), {2, 2}}); });
  refused([&](state& t) { t.extra.view("w", array_ref{two.floats.data(), {1}}); });
}

TEST_CASE("memory that only functions reach passes through them in blocks") {
  std::vector<float> device(700'000), other(700'000);
  std::iota(device.begin(), device.end(), 0.0F);
  const auto blocks = [](std::vector<float>& memory) {
    array_blocks<float, 2> a{.shape = {7, 100'000}};
    a.read = [&](std::uint64_t offset, std::span<std::byte> into) { std::memcpy(into.data(), reinterpret_cast<std::byte*>(memory.data()) + offset, into.size()); };
    a.write = [&](std::uint64_t offset, std::span<const std::byte> from) { std::memcpy(reinterpret_cast<std::byte*>(memory.data()) + offset, from.data(), from.size()); };
    return a;
  };
  auto source = blocks(device), target = blocks(other);
  const auto all = held::encode(source);
  CHECK(all[0].shape == std::vector<std::uint64_t>{7, 100'000});
  held::decode(all, target, 4099);
  CHECK(device == other);
}
