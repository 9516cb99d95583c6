// SPDX-License-Identifier: BSL-1.0
// model/fail/constant.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a const or volatile value cannot be restored here
#include <tidemark/model/schema_of.hpp>

#include <vector>

struct fixed { const int a = 1; };

#ifdef MUST_FAIL
struct state { std::vector<fixed> all; };
using asked = state;
#else
struct fine { fixed one; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
