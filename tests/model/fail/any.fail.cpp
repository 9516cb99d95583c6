// SPDX-License-Identifier: BSL-1.0
// model/fail/any.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: std::any may hold anything
#include <tidemark/model/schema_of.hpp>

#include <any>

#ifdef MUST_FAIL
struct state { std::any a; };
using asked = state;
#else
struct fine { std::variant<int, float> a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
