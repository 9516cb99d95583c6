// SPDX-License-Identifier: BSL-1.0
// model/fail/atomic.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: an atomic is not supported as state; hold the plain value
#include <tidemark/model/schema_of.hpp>

#include <atomic>

#ifdef MUST_FAIL
struct state { std::atomic<int> a; };
using asked = state;
#else
struct fine { int a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
