// SPDX-License-Identifier: BSL-1.0
// model/fail/function.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a function is not state; save what it was made from
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { void (*f)(); };
using asked = state;
#else
struct fine { int f; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
