// SPDX-License-Identifier: BSL-1.0
// model/fail/lock.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a mutex, lock or condition is not state
#include <tidemark/model/schema_of.hpp>

#include <mutex>

#ifdef MUST_FAIL
struct state { std::mutex m; };
using asked = state;
#else
struct fine { tidemark::transient<std::mutex> m; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
