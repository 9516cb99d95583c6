// SPDX-License-Identifier: BSL-1.0
// model/fail/container.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this container is not supported as state; say tidemark::as_sequence
#include <tidemark/model/schema_of.hpp>

struct ring {
  using value_type = int;
  ring() = default;
  int* begin();
  int* end();
  void resize(std::size_t);
};

#ifdef MUST_FAIL
struct state { ring d; };
using asked = state;
#else
template <> inline constexpr bool tidemark::as_sequence<ring> = true;
struct fine { ring d; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
