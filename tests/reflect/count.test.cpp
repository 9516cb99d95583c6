// SPDX-License-Identifier: BSL-1.0
// tests/reflect/count.test.cpp: aggregates of every size from nothing to one member too many; floor reflect.
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <boost/pfr/core.hpp>
#include <doctest/doctest.h>

#include <tidemark/reflect/members.hpp>

namespace {

// The members of sized_37 are m00, m01, ..., m36.
#define UNITS_0(t)
#define UNITS_1(t) UNITS_0(t) int m##t##0 = 0;
#define UNITS_2(t) UNITS_1(t) int m##t##1 = 0;
#define UNITS_3(t) UNITS_2(t) int m##t##2 = 0;
#define UNITS_4(t) UNITS_3(t) int m##t##3 = 0;
#define UNITS_5(t) UNITS_4(t) int m##t##4 = 0;
#define UNITS_6(t) UNITS_5(t) int m##t##5 = 0;
#define UNITS_7(t) UNITS_6(t) int m##t##6 = 0;
#define UNITS_8(t) UNITS_7(t) int m##t##7 = 0;
#define UNITS_9(t) UNITS_8(t) int m##t##8 = 0;
#define TEN(t) UNITS_9(t) int m##t##9 = 0;
#define TENS_0
#define TENS_1 TENS_0 TEN(0)
#define TENS_2 TENS_1 TEN(1)
#define TENS_3 TENS_2 TEN(2)
#define TENS_4 TENS_3 TEN(3)
#define TENS_5 TENS_4 TEN(4)
#define TENS_6 TENS_5 TEN(5)
#define TENS_7 TENS_6 TEN(6)
#define TENS_8 TENS_7 TEN(7)
#define TENS_9 TENS_8 TEN(8)
#define TENS_10 TENS_9 TEN(9)

template <std::size_t N>
struct sized;
#define SIZED(t, u)              \
  template <>                    \
  struct sized<t * 10 + u> {     \
    TENS_##t UNITS_##u(t)        \
  };
#define SIZED_TEN(t) \
  SIZED(t, 0) SIZED(t, 1) SIZED(t, 2) SIZED(t, 3) SIZED(t, 4) SIZED(t, 5) SIZED(t, 6) SIZED(t, 7) SIZED(t, 8) SIZED(t, 9)
SIZED_TEN(0) SIZED_TEN(1) SIZED_TEN(2) SIZED_TEN(3) SIZED_TEN(4) SIZED_TEN(5) SIZED_TEN(6) SIZED_TEN(7) SIZED_TEN(8) SIZED_TEN(9)
SIZED(10, 0) SIZED(10, 1) SIZED(10, 9)

struct no_default {
  explicit no_default(int) {}
};

// All of them initialized from the left only: the counting takes its other way.
struct hundred_and_the_last_without_default {
  TENS_9 UNITS_9(9)
  no_default last;
};

std::string expected_name(std::size_t i) { return std::string{"m"} + static_cast<char>('0' + i / 10) + static_cast<char>('0' + i % 10); }

template <std::size_t N>
void visits_all_in_order() {
  sized<N> value{};
  CAPTURE(N);
  REQUIRE(tidemark::reflect::defect_of<sized<N>> == tidemark::reflect::defect::none);
  REQUIRE(tidemark::reflect::member_count<sized<N>>() == N);
  std::vector<const void*> seen;
  tidemark::reflect::for_each_member(value, [&](int& member, auto at) {
    REQUIRE(at() == seen.size());
    seen.push_back(&member);
  });
  REQUIRE(seen.size() == N);
  for (std::size_t i = 0; i != N; ++i) REQUIRE(seen[i] == reinterpret_cast<const char*>(&value) + i * sizeof(int));
}

template <std::size_t N>
void names_all() {
  CAPTURE(N);
  sized<N> value{};
  tidemark::reflect::for_each_member(value, [&](int&, auto at) {
    CHECK(tidemark::reflect::member_name<sized<N>, decltype(at)::value>() == expected_name(at()));
  });
}

template <std::size_t N>
void ties_as_pfr_does() {
  sized<N> value{};
  const auto ours = tidemark::reflect::tie(value);
  const auto theirs = boost::pfr::structure_tie(value);
  static_assert(std::is_same_v<decltype(ours), decltype(theirs)>);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    CHECK((true && ... && (&std::get<I>(ours) == &std::get<I>(theirs))));
  }(std::make_index_sequence<N>{});
}

}  // namespace

TEST_CASE("an aggregate of any number of members up to the limit is counted and visited in order") {
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    (visits_all_in_order<N>(), ...);
  }(std::make_index_sequence<tidemark::reflect::max_members + 1>{});
}

TEST_CASE("one member more than the limit is a defect, not an error") {
  using tidemark::reflect::defect;
  static_assert(tidemark::reflect::max_members == 100);
  CHECK(tidemark::reflect::defect_of<sized<101>> == defect::too_many_members);
  CHECK(tidemark::reflect::defect_of<sized<109>> == defect::too_many_members);
  CHECK(tidemark::reflect::member_count<hundred_and_the_last_without_default>() == 100);
}

TEST_CASE("every name of a large aggregate is right") {
  names_all<1>();
  names_all<10>();
  names_all<53>();
  names_all<100>();
}

TEST_CASE("tie gives the one member, or nothing") {
  sized<1> one{};
  CHECK(&std::get<0>(tidemark::reflect::tie(one)) == &one.m00);
  sized<0> none{};
  CHECK(tidemark::reflect::tie(none) == std::tuple<>{});
}

TEST_CASE("tie gives what Boost.PFR gives") {
  ties_as_pfr_does<2>();
  ties_as_pfr_does<9>();
  ties_as_pfr_does<53>();
  ties_as_pfr_does<100>();
}
