// SPDX-License-Identifier: BSL-1.0
// reflect/clauses.test.cpp: how many braces a type takes, and that more members than there are bindings are told as such.
#include <tidemark/reflect/clauses.hpp>
#include <tidemark/reflect/members.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tidemark::reflect;
using detail::clauses;
using detail::list;

namespace {

struct three {
  int a;
  std::string b;
  int c[4];
};
static_assert(clauses<2>::initialize<three>(list<>{}, list<>{}, list<>{}, list<>{}));  // the middle list's braces are the third
static_assert(!clauses<3>::initialize<three>(list<>{}, list<>{}, list<>{}, list<>{}));
static_assert(clauses<1>::initialize<three>(list<int>{}, list<>{}, list<>{}, list<>{}));

#define TEN(p) int p##0, p##1, p##2, p##3, p##4; std::string p##5; double p##6, p##7, p##8, p##9
struct hundred { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); };
struct hundred_and_ten { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); TEN(k); };
struct hundred_and_twenty { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); TEN(k); TEN(l); };
struct hundred_and_eleven { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); TEN(k); int last; };
struct two_hundred { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); TEN(k); TEN(l); TEN(m); TEN(n); TEN(o); TEN(p); TEN(q); TEN(r); TEN(s); TEN(t); };

}  // namespace

TEST_CASE("however many members a type has, it is reflected or refused with that reason") {
  CHECK(defect_of<hundred> == defect::none);
  CHECK(member_count<hundred>() == 100);
  CHECK(defect_of<hundred_and_ten> == defect::too_many_members);
  CHECK(defect_of<hundred_and_eleven> == defect::too_many_members);
  CHECK(defect_of<hundred_and_twenty> == defect::too_many_members);
  CHECK(defect_of<two_hundred> == defect::too_many_members);
}
