// SPDX-License-Identifier: BSL-1.0
// model/fail/two_ways.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this type says in two ways what its state is
#include <tidemark/model/schema_of.hpp>

struct twice {
  int snapshot() const { return 0; }
  void restore(int) {}
};
struct once {
  int snapshot() const { return 0; }
  void restore(int) {}
};
template <>
struct tidemark::represent<twice> {
  static std::string name() { return "twice"; }
  static int snapshot(const twice&) { return 0; }
  static void restore(twice&, int&&) {}
};
#ifdef MUST_FAIL
using state = twice;
using asked = state;
#else
using fine = once;
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
