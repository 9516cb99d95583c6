// SPDX-License-Identifier: BSL-1.0
// store/fail/immovable.fail.cpp: what cannot be moved cannot be returned; it is restored in place.
// expect: tidemark: a load returns the state by value, and this one cannot be moved
#include <tidemark/store.hpp>

#include <atomic>

struct state {
  std::atomic<int> count{0};
};

int main() {
#ifdef MUST_FAIL
  static_cast<void>(tidemark::load<state>("file"));
#else
  state s;
  tidemark::restore(s, "file");
#endif
}
