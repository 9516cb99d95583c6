// SPDX-License-Identifier: BSL-1.0
// model/fail/steady_clock.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a time point of this clock means nothing in another process
#include <tidemark/model/schema_of.hpp>

#include <chrono>

#ifdef MUST_FAIL
struct state { std::chrono::steady_clock::time_point t; };
using asked = state;
#else
struct fine { std::chrono::system_clock::time_point t; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
