// SPDX-License-Identifier: BSL-1.0
// model/fail/anonymous_union.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: an anonymous union does not say which member is alive; use std::variant
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { union { int i; float f; }; int c; };
using asked = state;
#else
struct fine { std::variant<int, float> u; int c; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
