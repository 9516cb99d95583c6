// SPDX-License-Identifier: BSL-1.0
// reflect/tie.test.cpp: a tuple of references to the members, constness and arrays kept.
#include <tidemark/reflect/tie.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

using namespace tidemark::reflect;

namespace {

struct plain {
  int a;
  double b;
};
struct mixed {
  std::string text;
  int grid[2][3];
  const int fixed = 4;
  std::vector<int> list;
};

}  // namespace

TEST_CASE("tied members are the members, whether Boost.PFR or our own bindings tie them") {
  plain p{1, 2};
  CHECK(&std::get<0>(tie(p)) == &p.a);
  std::get<1>(tie(p)) = 5;
  CHECK(p.b == 5);
  static_assert(std::is_same_v<decltype(tie(std::declval<const plain&>())), std::tuple<const int&, const double&>>);
  mixed m{};
  CHECK(static_cast<void*>(&std::get<1>(tie(m))) == static_cast<void*>(&m.grid));
  CHECK(&std::get<3>(tie(m)) == &m.list);
  static_assert(std::is_same_v<decltype(tie(m)), std::tuple<std::string&, int(&)[2][3], const int&, std::vector<int>&>>);
  static_assert(std::is_same_v<member_type<mixed, 2>, const int>);
}
