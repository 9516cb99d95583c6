// SPDX-License-Identifier: BSL-1.0
// model/fail/c_array.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a C array is not supported as state; use std::array
// expect: at<'a'>
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct state { int a[3]; };
using asked = state;
#else
struct fine { std::array<int, 3> a; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
