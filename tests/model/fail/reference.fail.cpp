// SPDX-License-Identifier: BSL-1.0
// model/fail/reference.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a reference is not state; hold the value itself
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { int& r; };
using asked = state;
#else
struct fine { int r; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
