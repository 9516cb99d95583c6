// SPDX-License-Identifier: BSL-1.0
// model/fail/wide_character.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: wchar_t differs between systems; use char16_t or char32_t
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { wchar_t c; };
using asked = state;
#else
struct fine { char16_t c; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
