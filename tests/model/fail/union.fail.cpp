// SPDX-License-Identifier: BSL-1.0
// model/fail/union.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a union does not say which member is alive; use std::variant
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
union either { int i; float f; };
struct state { either e; };
using asked = state;
#else
struct fine { std::variant<int, float> e; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
