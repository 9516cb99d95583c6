// SPDX-License-Identifier: BSL-1.0
// model/structure.test.cpp: which kind a type is and what it is made of.
#include <tidemark/model/structure.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>

using namespace tidemark::detail;

namespace {

struct point {
  double x, y;
};
struct tree {
  int value;
  std::vector<tree> children;
};
struct even;
struct odd {
  std::vector<even> next;
};
struct even {
  std::unique_ptr<odd> next;
};
struct engine {
  int snapshot() const { return 0; }
  void restore(int) {}
};

static_assert(category_of<int> == category::scalar && category_of<std::string> == category::text);
static_assert(category_of<std::vector<float>> == category::array && category_of<std::vector<bool>> == category::array);
static_assert(category_of<std::array<std::array<int, 2>, 3>> == category::array);
static_assert(category_of<std::vector<std::array<int, 2>>> == category::array);
static_assert(category_of<std::vector<std::vector<int>>> == category::sequence);
static_assert(category_of<std::array<std::string, 3>> == category::sequence);
static_assert(category_of<std::vector<point>> == category::sequence);
static_assert(category_of<std::map<int, point>> == category::map);
static_assert(category_of<std::optional<int>> == category::optional);
static_assert(category_of<std::variant<int, float>> == category::variant);
static_assert(category_of<std::pair<int, float>> == category::tuple && category_of<std::tuple<>> == category::tuple);
static_assert(category_of<std::monostate> == category::tuple);
static_assert(category_of<tree> == category::packed && category_of<odd> == category::packed && category_of<even> == category::packed && category_of<std::vector<tree>> == category::sequence);
static_assert(category_of<int[3]> == category::array && category_of<point[2]> == category::sequence && category_of<int[3][2]> == category::array);
static_assert(category_of<point> == category::record && category_of<engine> == category::represented);
static_assert(category_of<std::deque<int>> == category::array && category_of<int*> == category::refused);
static_assert(std::is_same_v<children_of<point>, type_list<double, double>>);
static_assert(std::is_same_v<children_of<std::map<int, point>>, type_list<int, point>>);
static_assert(fixed_leaf<std::array<std::array<int, 2>, 3>>::extents == std::array<std::uint64_t, 2>{3, 2});
static_assert(fixed_leaf<std::array<std::array<int, 2>, 3>>::count == 6);
static_assert(is_fixed_size<std::array<int, 3>> && !is_fixed_size<std::vector<int>>);

}  // namespace

template <>
struct tidemark::represent<std::pair<engine, int>> {
  static std::string name() { return "mine"; }
  static int snapshot(const std::pair<engine, int>& p) { return p.second; }
  static void restore(std::pair<engine, int>& p, int&& v) { p.second = v; }
};
static_assert(category_of<std::pair<engine, int>> == category::represented);  // what the user says comes first

TEST_CASE("members are visited by their place, with their names") {
  point p{1, 2};
  child<1>(p) = 5;
  CHECK(p.y == 5);
  CHECK(child_name<point, 0>() == "x");
  CHECK(child_name<point, 1>() == "y");
  std::tuple<int, std::string> t{1, "b"};
  CHECK(child<1>(t) == "b");
  CHECK(child_name<decltype(t), 1>() == "1");
  std::string seen;
  for_each_child_type<point>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
    seen += child_name<point, I>();
    CHECK(std::is_same_v<M, double>);
  });
  CHECK(seen == "xy");
}
