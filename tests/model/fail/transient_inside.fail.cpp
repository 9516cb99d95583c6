// SPDX-License-Identifier: BSL-1.0
// model/fail/transient_inside.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: transient leaves out a member of a struct; inside a container, optional, tuple or variant it has no meaning
#include <tidemark/model/schema_of.hpp>

struct slot {
  int id;
  tidemark::transient<int> cache;
};
#ifdef MUST_FAIL
struct state { std::vector<tidemark::transient<int>> slots; };
using asked = state;
#else
struct fine { std::vector<slot> slots; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
