// SPDX-License-Identifier: BSL-1.0
// model/fail/atomic.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this atomic holds no plain number
#include <tidemark/model/schema_of.hpp>

#include <atomic>

#ifdef MUST_FAIL
struct state { std::atomic<int*> a; };
using asked = state;
#else
struct fine { std::atomic<int> a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
