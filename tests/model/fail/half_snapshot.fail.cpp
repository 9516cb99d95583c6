// SPDX-License-Identifier: BSL-1.0
// model/fail/half_snapshot.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class has one of snapshot() and restore(value), but not both as needed
#include <tidemark/model/schema_of.hpp>


#ifdef MUST_FAIL
struct state {
  int snapshot() { return value; }
  void restore(int v) { value = v; }
  explicit state(int v = 0) : value(v) {}
  int value;
};
using asked = state;
#else
struct fine {
  int snapshot() const { return value; }
  void restore(int v) { value = v; }
  explicit fine(int v = 0) : value(v) {}
  int value;
};
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
