// SPDX-License-Identifier: BSL-1.0
// model/fail/base.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: an aggregate with a base that has members cannot be reflected; make the base a member
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct base { int b; };
struct derived : base { int d; };
struct state { derived d; };
using asked = state;
#else
struct base_ok { int b; };
struct derived_ok { base_ok base; int d; };
struct fine { derived_ok d; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
