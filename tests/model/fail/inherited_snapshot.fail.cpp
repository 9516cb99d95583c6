// SPDX-License-Identifier: BSL-1.0
// model/fail/inherited_snapshot.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class has checkpoint_members or snapshot() from a base alone
#include <tidemark/model/schema_of.hpp>

struct base {
  int snapshot() const { return 0; }
  void restore(int) {}
};
#ifdef MUST_FAIL
struct asked : base {
  int d = 0;
};
#else
struct asked : base {};
#endif

int main() { return tidemark::describe<asked>().empty(); }
