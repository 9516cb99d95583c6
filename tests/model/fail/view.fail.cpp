// SPDX-License-Identifier: BSL-1.0
// model/fail/view.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a read-only view shows what it does not own
#include <tidemark/model/schema_of.hpp>

#include <string_view>

#ifdef MUST_FAIL
struct state { std::string_view name; };
using asked = state;
#else
struct fine { std::string name; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
