// SPDX-License-Identifier: BSL-1.0
// model/fail/stuck_expected.fail.cpp: a state that is refused, and its twin that is not.
// with: -std=c++2b
// unless: clang version 1[4-8] (its concepts are older than libstdc++ asks for std::expected)
// expect: tidemark: neither the value nor the error of this std::expected is sure to move without an exception
#include <tidemark/model/schema_of.hpp>

#include <expected>

template <int Which>
struct throwing {
  throwing() noexcept(false) {}
  throwing(throwing&& other) noexcept(false) : value(other.value) {}
  throwing& operator=(throwing&& other) noexcept(false) { value = other.value; return *this; }
  int snapshot() const { return value; }
  void restore(int v) { value = v; }
  int value = 0;
};
struct state {
#ifdef MUST_FAIL
  std::expected<throwing<0>, throwing<1>> result;
#else
  std::expected<throwing<0>, int> result;
#endif
};

int main() { return tidemark::describe<state>().empty(); }
