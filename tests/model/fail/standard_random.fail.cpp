// SPDX-License-Identifier: BSL-1.0
// model/fail/standard_random.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: of the engines and distributions of the standard library, those that docs/rng.md lists are state
#include <tidemark/model/schema_of.hpp>

#include <random>

#ifdef MUST_FAIL
struct state { std::poisson_distribution<int> d; };
using asked = state;
#else
struct fine { double mean; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
