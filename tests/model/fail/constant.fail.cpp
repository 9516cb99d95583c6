// SPDX-License-Identifier: BSL-1.0
// model/fail/constant.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a const or volatile member cannot be restored
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { const int a = 1; };
using asked = state;
#else
struct fine { int a = 1; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
