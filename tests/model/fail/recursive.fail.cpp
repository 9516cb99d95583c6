// SPDX-License-Identifier: BSL-1.0
// model/fail/recursive.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a type that contains itself is not supported as state; hold the nodes in one vector
// expect: at<'c', 'h', 'i', 'l', 'd', 'r', 'e', 'n', '.', '*'>
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct tree { int value; std::vector<tree> children; };
using asked = tree;
#else
struct tree_ok { int value; std::vector<int> children; };
using asked = tree_ok;
#endif

int main() { return tidemark::describe<asked>().empty(); }
