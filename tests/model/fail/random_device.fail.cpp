// SPDX-License-Identifier: BSL-1.0
// model/fail/random_device.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: std::random_device has no state to restore
#include <tidemark/model/schema_of.hpp>

#include <random>

#ifdef MUST_FAIL
struct state { std::random_device d; };
using asked = state;
#else
struct fine { unsigned seed; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
