// SPDX-License-Identifier: BSL-1.0
// reflect/tie.test.cpp: a tuple of references to the members, constness and arrays kept.
#include <tidemark/reflect/tie.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
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

TEST_CASE("the addresses of members are those of the members, whatever their types make of operator&") {
  struct hides_itself {
    int n = 0;
    int* operator&() { return nullptr; }
  };
  struct all {
    hides_itself hidden;
    int grid[2][3] = {};
    const int fixed = 4;
    std::string text;
  } value;
  const auto found = member_addresses(value);
  static_assert(found.size() == 4);
  CHECK(found[0] == std::addressof(value.hidden));
  CHECK(found[1] == &value.grid);
  CHECK(found[2] == &value.fixed);
  CHECK(found[3] == &value.text);
  CHECK(member_addresses(std::as_const(value)) == found);
  plain pair{1, 2};
  CHECK(member_addresses(pair)[1] == &pair.b);
}
