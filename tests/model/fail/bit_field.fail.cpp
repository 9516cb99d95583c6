// SPDX-License-Identifier: BSL-1.0
// model/fail/bit_field.fail.cpp: a state that is refused, and its twin that is not.
// unless: clang version 1[45] (it stops at the bit-field itself, with a message of its own)
// expect: tidemark: bit-fields, and members of packed structs, cannot be reflected; use whole integers
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { int a : 3; };
using asked = state;
#else
struct fine { int a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
