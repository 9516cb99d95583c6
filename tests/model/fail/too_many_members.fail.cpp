// SPDX-License-Identifier: BSL-1.0
// model/fail/too_many_members.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: more members than Boost.PFR can count; nest some of them
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
#define TEN(p) int p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9
struct state { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e); TEN(f); TEN(g); TEN(h); TEN(i); TEN(j); TEN(k); TEN(l); TEN(m); TEN(n); TEN(o); TEN(p); TEN(q); TEN(r); TEN(s); TEN(t); TEN(u); };
using asked = state;
#else
#define TEN(p) int p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9
struct fine { TEN(a); TEN(b); TEN(c); };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
