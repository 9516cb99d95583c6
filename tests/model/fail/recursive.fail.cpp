// SPDX-License-Identifier: BSL-1.0
// model/fail/recursive.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class represents itself by a value that contains it again
#include <tidemark/model/schema_of.hpp>

struct turning {
  turning snapshot() const { return *this; }
  void restore(turning) {}
};
struct tree {
  int value;
  std::vector<tree> children;
};

#ifdef MUST_FAIL
struct state { turning t; };
using asked = state;
#else
struct fine { tree t; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
