// SPDX-License-Identifier: BSL-1.0
// archive/const_member.test.cpp: const members are saved, and compared where the others are restored. Whole files: store/load.test.cpp.
#include <tidemark/archive/evolve.hpp>
#include <tidemark/model/checkpointable.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <valarray>
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

/// What a decode of `stored` into `target` is refused with; nothing where it is taken.
template <class T>
error_details refusal_of(const T& stored, T& target) {
  static_assert(Checkpointable<T>);
  const auto all = held::encode(stored);
  held::input in(all);
  try {
    detail::decode_state(in, &target);
    in.run_deferred();
    return {};
  } catch (const error& e) {
    CHECK(e.code() == errc::schema_mismatch);
    return {.tensor = std::string(e.tensor()), .problem = e.what(), .expected = std::string(e.expected()), .found = std::string(e.found())};
  }
}

/// `expected` and `found` are what the error says of the two.
template <class M>
void check_fixed(const M& one, const M& other, const std::string& expected, const std::string& found, const std::string& place = "value") {
  fixed<M> target{one, 0};
  CHECK(refusal_of(fixed<M>{one, 5}, target).problem == "");
  CHECK(target.after == 5);
  const error_details refused = refusal_of(fixed<M>{other, 6}, target);
  CHECK(refused.tensor == place);
  CHECK(refused.expected == expected);
  CHECK(refused.found == found);
}

enum class mode : std::uint8_t { train, test };

}  // namespace

TEST_CASE("a const member is stored as any other, and has the schema of any other") {
  CHECK(detail::make_schema<shape>() == detail::make_schema<same_shape>());
  CHECK(held::encode(shape{8, 3}) == held::encode(same_shape{8, 3}));
}

TEST_CASE("const numbers of every kind are compared bit for bit, and both values told") {
  using namespace std::chrono;
  check_fixed<int>(-1, 2, "-1", "2");
  check_fixed<std::uint64_t>(~std::uint64_t{}, 2, "18446744073709551615", "2");
  check_fixed<char>('a', 'b', "97", "98");
  check_fixed<char8_t>(u8'a', u8'b', "97", "98");
  check_fixed<char32_t>(U'a', U'b', "97", "98");
  check_fixed<bool>(true, false, "true", "false");
  check_fixed<mode>(mode::train, mode::test, "0", "1");
  check_fixed<std::byte>(std::byte{1}, std::byte{2}, "1", "2");
  check_fixed<float>(0.1f, 0.25f, "0.1", "0.25");
  check_fixed<double>(0.0, -0.0, "0", "-0");
  check_fixed<double>(std::numeric_limits<double>::quiet_NaN(), 1.0, "nan", "1");
  check_fixed<float>(std::bit_cast<float>(0x7FC00000u), std::bit_cast<float>(0x7FC00001u), "0x7fc00000", "0x7fc00001");
  check_fixed<std::complex<float>>({1, 2}, {1, 3}, "(1, 2)", "(1, 3)");
  check_fixed<seconds>(seconds{5}, seconds{6}, "5", "6");
  check_fixed<time_point<system_clock, seconds>>(time_point<system_clock, seconds>(seconds{5}), time_point<system_clock, seconds>(seconds{6}), "5", "6");
  fixed<long double> target{0.1L, 0};
  CHECK(refusal_of(fixed<long double>{0.1L, 1}, target).problem == "");
  const error_details close = refusal_of(fixed<long double>{0.1, 1}, target);
  CHECK(close.tensor == "value");
  CHECK(close.expected != close.found);
#if defined(__SIZEOF_INT128__)
  check_fixed<detail::uint128>(1, 2, "0x00000000000000000000000000000001", "0x00000000000000000000000000000002");
#endif
}

TEST_CASE("const text, arrays and structs are compared, and the place inside is told") {
  check_fixed<std::string>("a", "b\n", "\"a\"", "\"b\n\"");
  check_fixed<std::vector<int>>({1, 2}, {1, 2, 3}, "2 elements", "3");
  check_fixed<std::vector<int>>({1, 2, 3}, {1, 2, 4}, "3 in element 2", "4");
  check_fixed<std::vector<bool>>({true, false}, {true, true}, "false in element 1", "true");
  check_fixed<std::deque<float>>({1, 2}, {1, 3}, "2 in element 1", "3");
  check_fixed<std::valarray<double>>({1, 2}, {1, 3}, "2 in element 1", "3");
  check_fixed<std::bitset<9>>({5}, {7}, "false in element 1", "true");
  check_fixed<std::array<int, 2>>({1, 2}, {2, 2}, "1 in element 0", "2");
  check_fixed<std::array<std::array<int, 2>, 2>>({{{1, 2}, {3, 4}}}, {{{1, 2}, {3, 5}}}, "the same element 1", "another");
  check_fixed<same_shape>({1, 2}, {1, 3}, "2", "3", "value.height");
  check_fixed<std::pair<int, std::tuple<int, std::string>>>({1, {2, "x"}}, {1, {2, "y"}}, "\"x\"", "\"y\"", "value.1.1");
  fixed<std::array<int, 0>> empty;
  CHECK(refusal_of(fixed<std::array<int, 0>>{{}, 3}, empty).problem == "");
}

TEST_CASE("const arrays in C's manner, and atomics") {
  struct holder {
    const int sizes[2][2] = {{1, 2}, {3, 4}};
    const bool flags[2] = {true, false};
    const std::atomic<int> count{3};
    int step = 0;
  };
  holder target, stored{{{1, 2}, {3, 4}}, {true, false}, {3}, 7};
  CHECK(refusal_of(stored, target).problem == "");
  CHECK(target.step == 7);
  CHECK(refusal_of(holder{{{1, 2}, {3, 5}}, {true, false}, {3}, 7}, target).tensor == "sizes");
  CHECK(refusal_of(holder{{{1, 2}, {3, 4}}, {true, true}, {3}, 7}, target).expected == "false in element 1");
  CHECK(refusal_of(holder{{{1, 2}, {3, 4}}, {true, false}, {4}, 7}, target).found == "4");
}

TEST_CASE("a large constant takes no stack") {
  struct large {
    const std::array<float, 8 << 20> table{};
    int step = 0;
  };
  const auto stored = std::make_unique<large>(), target = std::make_unique<large>();
  stored->step = 4;
  CHECK(refusal_of(*stored, *target).problem == "");
  CHECK(target->step == 4);
}

TEST_CASE("the error names the member by its whole path, and what to do") {
  struct config {
    std::tuple<int, shape> inside;
    const std::string optimizer = "adam";
  };
  struct state {
    config model;
    int step = 0;
  };
  state target{{{1, shape{4, 1}}, "adam"}, 7};
  const error_details size = refusal_of(state{{{1, shape{5, 2}}, "adam"}, 9}, target);
  CHECK(size.tensor == "model.inside.1.width");
  CHECK(size.problem.find("expected 4, found 5") != std::string::npos);
  CHECK(size.problem.find("drop the const") != std::string::npos);
  CHECK(refusal_of(state{{{1, shape{4, 2}}, "sgd"}, 9}, target).tensor == "model.optimizer");
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
  static constexpr auto checkpoint_members = members(member("limit", &listed::limit_), member("count", &listed::count_));
};

}  // namespace

TEST_CASE("a listed const member is compared") {
  listed target;
  CHECK(refusal_of(listed{10, 4}, target).problem == "");
  CHECK(target.count() == 4);
  CHECK(refusal_of(listed{11, 5}, target).tensor == "limit");
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
  std::int32_t width = 8;
  int height = 0;
  std::tuple<int, shape> inside;
  std::int32_t a = 1, b = 2;
  std::int32_t mode = 3;
};
struct moved_here {
  const std::int32_t x = 1;
  std::int32_t y = 0;
};
struct new_config {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr renamed_path renamed[] = {{"a", "s.x"}, {"b", "s.y"}};
  const std::int64_t width = 8;
  int height = 0;
  const std::string added = "by default";
  std::tuple<std::int64_t, shape> inside;
  moved_here s;
};
struct with_text {
  static constexpr std::uint32_t checkpoint_version = 2;
  const std::string mode = "a";
  static void migrate(with_text&, const stored_record&) {}
};

/// What a load of the older version gives into `to`, or the place that it is refused for.
template <class To, class From>
std::string evolved(const From& from, To& to) {
  const auto all = held::encode(from);
  held::input in(all);
  const schema here = detail::make_schema<To>(), file = detail::make_schema<From>();
  REQUIRE(plan_evolution(here, file).refused.empty());
  detail::decoder at{in, detail::walk_name(true)};
  try {
    detail::evolve(at, here, file, to);
  } catch (const error& e) {
    CHECK(e.code() == errc::schema_mismatch);
    return std::string(e.tensor());
  }
  in.run_deferred();
  return "";
}

}  // namespace

TEST_CASE("an older version is compared with constants, also where it is converted or moved, and those that are new keep their defaults") {
  struct outer_old { old_config c; };
  struct outer_new { new_config c; };
  outer_new to;
  CHECK(evolved(outer_old{{8, 3, {5, shape{8, 6}}}}, to) == "");
  CHECK(to.c.height == 3);
  CHECK(to.c.added == "by default");
  CHECK(std::get<0>(to.c.inside) == 5);
  CHECK(std::get<1>(to.c.inside).height == 6);
  CHECK(to.c.s.y == 2);
  CHECK(evolved(outer_old{{9, 3, {5, shape{8, 6}}}}, to) == "c.width");
  CHECK(evolved(outer_old{{8, 3, {5, shape{9, 6}}}}, to) == "c.inside.1.width");
  CHECK(evolved(outer_old{{8, 3, {5, shape{8, 6}}, 4}}, to) == "c.s.x");
  outer_new into{{8, 1, "other", {}, {}}}, from{{8, 2, "by default", {4, shape{8, 5}}, {1, 9}}};
  detail::move_state(into, from);
  CHECK(into.c.height == 2);
  CHECK(std::get<1>(into.c.inside).height == 5);
  CHECK(into.c.s.y == 9);
}

TEST_CASE("a constant that was stored as another type is not left to a migrate function that cannot set it") {
  with_text to;
  CHECK(evolved(old_config{}, to) == "mode");
}

TEST_CASE("the constants of two states are compared through records and tuples") {
  using pair = std::tuple<int, shape>;
  detail::require_same_constants(pair{1, shape{2, 3}}, pair{2, shape{2, 4}});
  CHECK_THROWS_AS(detail::require_same_constants(pair{1, shape{2, 3}}, pair{1, shape{3, 3}}), error);
  static_assert(!detail::holds_constants<same_shape>() && detail::holds_constants<pair>());
}
