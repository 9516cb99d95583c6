// SPDX-License-Identifier: BSL-1.0
// model/access.test.cpp: containers, optionals and variants of every make, asked for their contents.
#include <tidemark/model/access.hpp>

#include <doctest/doctest.h>

#include <bitset>
#include <deque>
#include <forward_list>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <valarray>
#include <vector>
#if __has_include(<expected>)
#include <expected>
#endif

using namespace tidemark::detail;

static_assert(is_contiguous<std::vector<int>> && is_contiguous<const std::vector<int>> && is_contiguous<std::array<int, 3>> && is_contiguous<int[3]>);
static_assert(is_contiguous<std::valarray<int>> && is_contiguous<std::u16string> && is_contiguous<const std::valarray<int>>);
static_assert(!is_contiguous<std::vector<bool>> && !is_contiguous<std::deque<int>> && !is_contiguous<std::bitset<3>> && !is_contiguous<std::list<int>>);

namespace {

template <class T>
void walk(T all, std::vector<int> expected) {
  CHECK(count_of(all) == expected.size());
  std::vector<int> found;
  for_each_element(all, [&](const element_of<T>& e) { found.push_back(static_cast<int>(e)); });
  CHECK(found == expected);
  for_each_slot(all, [](element_of<T>& e) { e = static_cast<element_of<T>>(1 - static_cast<int>(e)); });
  found.clear();
  for_each_element(all, [&](const element_of<T>& e) { found.push_back(static_cast<int>(e)); });
  for (int& e : expected) e = 1 - e;
  CHECK(found == expected);
}

}  // namespace

TEST_CASE("elements are visited and written, also those that have no address") {
  walk(std::vector<int>{0, 1, 1}, {0, 1, 1});
  walk(std::vector<bool>{false, true}, {0, 1});
  walk(std::bitset<3>{5}, {1, 0, 1});
  walk(std::deque<bool>{true}, {1});
  walk(std::list<int>{}, {});
  walk(std::forward_list<int>{1, 0}, {1, 0});
  walk(std::valarray<float>{0, 1}, {0, 1});
  walk(std::array<char, 2>{0, 1}, {0, 1});
}

TEST_CASE("a container is given its size and keeps what fits") {
  std::list<int> l{1, 2, 3};
  const int* first = &l.front();
  resize_to(l, 2);
  CHECK(l == std::list<int>{1, 2});
  CHECK(&l.front() == first);
  std::forward_list<int> f;
  resize_to(f, 3);
  CHECK(count_of(f) == 3);
}

TEST_CASE("a pointer to one object is an optional") {
  std::unique_ptr<std::string> p;
  make_value(p);
  REQUIRE(p);
  CHECK(p->empty());
}

TEST_CASE("alternatives are asked for and made active") {
  std::variant<int, std::string> v{std::string("x")};
  CHECK(alternative_index(v) == 1);
  CHECK(alternative<1>(v) == "x");
  activate<1>(v);
  CHECK(alternative<1>(v) == "x");
  activate<0>(v);
  CHECK(alternative<0>(v) == 0);
  CHECK_FALSE(is_valueless(v));
}

#if defined(__cpp_lib_expected)
TEST_CASE("an expected is a variant of its value and its error") {
  std::expected<int, std::string> e = std::unexpected<std::string>("bad");
  static_assert(category_of<decltype(e)> == category::variant && category_of<std::expected<void, int>> == category::variant);
  CHECK(alternative_index(e) == 1);
  CHECK(alternative<1>(e) == "bad");
  activate<0>(e);
  alternative<0>(e) = 5;
  CHECK(e == 5);
  activate<1>(e);
  CHECK(e.error().empty());
  std::expected<void, int> nothing;
  activate<1>(nothing);
  CHECK_FALSE(nothing.has_value());
  activate<0>(nothing);
  CHECK(nothing.has_value());
}
#endif
