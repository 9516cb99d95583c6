// SPDX-License-Identifier: BSL-1.0
// model/fail/not_default_constructible.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this type is made anew on load, which needs a default and a move constructor
#include <tidemark/model/schema_of.hpp>

class engine {
 public:
  explicit engine(int);
  int snapshot() const;
  void restore(int);
};
#ifdef MUST_FAIL
struct state { std::vector<engine> e; };
using asked = state;
#else
struct fine { std::vector<int> e; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
