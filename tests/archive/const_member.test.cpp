// SPDX-License-Identifier: BSL-1.0
// archive/const_member.test.cpp: const members are saved, and compared where the others are restored. Whole files: store/const_members.test.cpp.
#include <tidemark/archive/decode.hpp>
#include <tidemark/archive/encode.hpp>
#include <tidemark/archive/evolve.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "held_tensors.hpp"

using namespace tidemark;

namespace {

struct shape {
  const int width = 8;
  int height = 0;
};
struct same_shape {
  int width = 8;
  int height = 0;
};

/// One const member of type `M`.
template <class M>
struct fixed {
  const M value{};
  int after = 0;
};

/// What a decode of `stored` into `target` says; empty where it is taken.
template <class T>
std::string refusal_of(const T& stored, T& target, errc* code = nullptr) {
  const auto all = held::encode(stored);
  held::input in(all);
  try {
    detail::decode_state(in, &target);
    in.run_deferred();
    return {};
  } catch (const error& e) {
    if (code != nullptr) *code = e.code();
    return e.what();
  }
}

template <class M>
void check_fixed(const M& one, const M& other) {
  fixed<M> target{one, 0};
  CHECK(refusal_of(fixed<M>{one, 5}, target) == "");
  CHECK(target.after == 5);
  errc code = errc::io;
  CHECK(refusal_of(fixed<M>{other, 6}, target, &code) != "");
  CHECK(code == errc::schema_mismatch);
}

}  // namespace

TEST_CASE("a const member is stored as any other, and has the schema of any other") {
  CHECK(detail::make_schema<shape>() == detail::make_schema<same_shape>());
  const auto fixed_tensors = held::encode(shape{8, 3}), plain_tensors = held::encode(same_shape{8, 3});
  CHECK(fixed_tensors == plain_tensors);
}

TEST_CASE("const members of every kind are compared, and what is equal lets the rest be restored") {
  check_fixed<int>(1, 2);
  check_fixed<bool>(true, false);
  check_fixed<double>(0.0, -0.0);
  check_fixed<double>(std::numeric_limits<double>::quiet_NaN(), 1.0);
  check_fixed<std::string>("a", "b");
  check_fixed<std::vector<int>>({1, 2}, {1, 2, 3});
  check_fixed<std::vector<std::vector<float>>>({{1}, {2}}, {{1}, {3}});
  check_fixed<std::array<int, 2>>({1, 2}, {2, 1});
  check_fixed<std::map<std::string, std::vector<int>>>({{"a", {1}}}, {{"b", {1}}});
  check_fixed<std::optional<int>>(std::nullopt, 0);
  check_fixed<same_shape>({1, 2}, {1, 3});
  check_fixed<std::pair<int, std::string>>({1, "x"}, {1, "y"});
}

TEST_CASE("the error names the member, both values, and what to do") {
  struct config {
    shape size;
    const std::string optimizer = "adam";
  };
  struct state {
    config model;
    int step = 0;
  };
  state target{{shape{4, 1}, "adam"}, 7};
  const std::string size = refusal_of(state{{shape{5, 2}, "adam"}, 9}, target);
  CHECK(size.find("model.size.width") != std::string::npos);
  CHECK(size.find("expected 4") != std::string::npos);
  CHECK(size.find("found 5") != std::string::npos);
  CHECK(size.find("const") != std::string::npos);
  const std::string name = refusal_of(state{{shape{4, 2}, "sgd"}, 9}, target);
  CHECK(name.find("model.optimizer") != std::string::npos);
  CHECK(name.find("sgd") != std::string::npos);
}

TEST_CASE("a const array in C's manner, a const struct, and the const members of a class that lists them") {
  struct holder {
    const int sizes[2][2] = {{1, 2}, {3, 4}};
    const same_shape size{1, 2};
    int step = 0;
  };
  holder target;
  CHECK(refusal_of(holder{{{1, 2}, {3, 4}}, {1, 2}, 3}, target) == "");
  CHECK(target.step == 3);
  CHECK(refusal_of(holder{{{1, 2}, {3, 5}}, {1, 2}, 4}, target).find("sizes") != std::string::npos);
  CHECK(refusal_of(holder{{{1, 2}, {3, 4}}, {1, 1}, 4}, target).find("size") != std::string::npos);
}

namespace {

class listed {
 public:
  listed() = default;
  listed(int limit, int count) : limit_(limit), count_(count) {}
  int count() const { return count_; }

 private:
  const int limit_ = 10;
  int count_ = 0;

 public:
#if defined(__CUDACC__)
  static constexpr auto checkpoint_members = members(member("limit_", &listed::limit_), member("count_", &listed::count_));
#else
  static constexpr auto checkpoint_members = members(&listed::limit_, &listed::count_);
#endif
};

}  // namespace

TEST_CASE("a listed const member is compared") {
  listed target;
  CHECK(refusal_of(listed{10, 4}, target) == "");
  CHECK(target.count() == 4);
  CHECK(refusal_of(listed{11, 5}, target).find("limit_") != std::string::npos);
}

TEST_CASE("before a restore the constants are compared, and nothing has been touched") {
  struct state {
    std::vector<int> first{1, 2};
    std::tuple<int, shape> inside;
  };
  state target{{1, 2}, {1, shape{3, 1}}};
  const auto all = held::encode(state{{5, 6}, {2, shape{4, 2}}});
  held::input in(all);
  CHECK_THROWS_AS(detail::require_state_fits(in, target), error);
  CHECK(target.first == std::vector<int>{1, 2});
  const auto same = held::encode(state{{5, 6}, {2, shape{3, 2}}});
  held::input fits(same);
  detail::require_state_fits(fits, target);
}

namespace {

struct old_config {
  static constexpr std::uint32_t checkpoint_version = 1;
  std::int32_t width = 8;
  int height = 0;
  std::tuple<int, shape> inside;
};
struct new_config {
  static constexpr std::uint32_t checkpoint_version = 2;
  const std::int64_t width = 8;
  int height = 0;
  const std::string added = "by default";
  std::tuple<std::int64_t, shape> inside;
};

new_config evolved(const old_config& from) {
  const auto all = held::encode(from);
  held::input in(all);
  const schema here = detail::make_schema<new_config>(), file = detail::make_schema<old_config>();
  REQUIRE(plan_evolution(here, file).refused.empty());
  detail::decoder<held::input> at{in, detail::walk_name(true)};
  new_config to{};
  detail::evolve(at, here, file, to);
  in.run_deferred();
  return to;
}

}  // namespace

TEST_CASE("an older version is compared with constants, also where it is converted, and those that are new keep their defaults") {
  const new_config to = evolved({8, 3, {5, shape{8, 6}}});
  CHECK(to.height == 3);
  CHECK(to.added == "by default");
  CHECK(std::get<0>(to.inside) == 5);
  CHECK(std::get<1>(to.inside).height == 6);
  CHECK_THROWS_AS(evolved({9, 3, {5, shape{8, 6}}}), error);
  CHECK_THROWS_AS(evolved({8, 3, {5, shape{9, 6}}}), error);
}

TEST_CASE("constants of two states are compared through records and tuples") {
  using pair = std::tuple<int, shape>;
  CHECK(detail::have_same_constants(pair{1, shape{2, 3}}, pair{2, shape{2, 4}}));
  CHECK_FALSE(detail::have_same_constants(pair{1, shape{2, 3}}, pair{1, shape{3, 3}}));
  static_assert(!detail::holds_constants<same_shape>() && detail::holds_constants<pair>());
}
