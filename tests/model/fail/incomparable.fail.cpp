// SPDX-License-Identifier: BSL-1.0
// model/fail/incomparable.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a const member is compared on load, and can be a number, text
#include <tidemark/model/schema_of.hpp>

#include <optional>
#include <string>

#ifdef MUST_FAIL
struct state { const std::optional<int> a; };
using asked = state;
#else
struct fine { const std::string a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
