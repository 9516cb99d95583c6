// SPDX-License-Identifier: BSL-1.0
// model/fail/owning_pointer.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this smart pointer does not say what it owns
#include <tidemark/model/schema_of.hpp>

#include <memory>

#ifdef MUST_FAIL
struct state { std::unique_ptr<int[]> p; };
using asked = state;
#else
struct fine { std::unique_ptr<int> p; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
