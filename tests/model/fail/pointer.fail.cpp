// SPDX-License-Identifier: BSL-1.0
// model/fail/pointer.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a raw pointer is not state; hold the value itself
// expect: tidemark::detail::at<'m', 'o', 'd', 'e', 'l', '.', 'l', 'a', 'y', 'e', 'r', 's', '.', '*', '.', 's', 'l', 'o', 't'>
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct cache { int* slot; };
struct net { std::vector<cache> layers; };
struct trainer { int step; net model; };
using asked = trainer;
#else
struct trainer_ok { int step; std::vector<int> model; };
using asked = trainer_ok;
#endif

int main() { return tidemark::describe<asked>().empty(); }
