// SPDX-License-Identifier: BSL-1.0
// model/fail/container.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this container is not supported as state; hold a std::vector
#include <tidemark/model/schema_of.hpp>

#include <deque>

#ifdef MUST_FAIL
struct state { std::deque<int> d; };
using asked = state;
#else
struct fine { std::vector<int> d; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
