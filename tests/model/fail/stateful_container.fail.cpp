// SPDX-License-Identifier: BSL-1.0
// model/fail/stateful_container.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a container whose comparator or hasher holds values cannot be made anew
#include <tidemark/model/schema_of.hpp>

#include <map>

#include <functional>

#ifdef MUST_FAIL
struct less { int sign; bool operator()(int a, int b) const { return sign * a < sign * b; } };
struct state { std::map<int, int, less> m; };
using asked = state;
#else
struct fine { std::map<int, int, std::greater<int>> m; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
