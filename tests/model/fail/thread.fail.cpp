// SPDX-License-Identifier: BSL-1.0
// model/fail/thread.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a thread or future is not state
#include <tidemark/model/schema_of.hpp>

#include <thread>

#ifdef MUST_FAIL
struct state { std::thread t; };
using asked = state;
#else
struct fine { tidemark::transient<std::thread> t; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
