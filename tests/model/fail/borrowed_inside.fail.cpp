// SPDX-License-Identifier: BSL-1.0
// model/fail/borrowed_inside.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: memory that the program owns (array_ref, span) must be a member of a record or tuple
#include <tidemark/model/schema_of.hpp>

struct part {
  tidemark::array_ref<float> weights;
};

#ifdef MUST_FAIL
struct state { std::vector<tidemark::array_ref<float>> parts; };
using asked = state;
#else
struct fine { std::vector<part> parts; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
