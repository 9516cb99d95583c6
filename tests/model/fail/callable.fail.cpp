// SPDX-License-Identifier: BSL-1.0
// model/fail/callable.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a function object is not state
#include <tidemark/model/schema_of.hpp>

#include <functional>

#ifdef MUST_FAIL
struct state { std::function<void()> f; };
using asked = state;
#else
struct fine { int f; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
