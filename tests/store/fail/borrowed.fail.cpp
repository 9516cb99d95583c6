// SPDX-License-Identifier: BSL-1.0
// store/fail/borrowed.fail.cpp: memory of the program cannot be loaded; it is restored in place.
// expect: tidemark: memory that the program owns (array_ref, span) is restored in place and cannot be loaded
#include <tidemark/store.hpp>

struct state {
  tidemark::array_ref<float> weights;
};

int main() {
  state s;
#ifdef MUST_FAIL
  s = tidemark::load<state>("file");
#else
  tidemark::restore(s, "file");
#endif
}
