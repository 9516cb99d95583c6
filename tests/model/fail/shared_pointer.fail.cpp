// SPDX-License-Identifier: BSL-1.0
// model/fail/shared_pointer.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a shared pointer is not state, since who shares it is lost
// expect: include <tidemark/cereal.hpp> and opt the pointer in
#include <tidemark/model/schema_of.hpp>

#include <memory>

#ifdef MUST_FAIL
struct state { std::shared_ptr<int> p; };
using asked = state;
#else
struct fine { std::unique_ptr<int> p; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
