// SPDX-License-Identifier: BSL-1.0
// model/fail/distribution.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this distribution keeps state that it does not show
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
