// SPDX-License-Identifier: BSL-1.0
// model/fail/stateful_queue.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a container whose comparator or hasher holds values cannot be made anew
#include <tidemark/model/schema_of.hpp>

#include <functional>
#include <queue>

struct by_sign {
  int sign = 1;
  bool operator()(int a, int b) const { return sign * a < sign * b; }
};
#ifdef MUST_FAIL
using asked = std::priority_queue<int, std::vector<int>, by_sign>;
#else
using asked = std::priority_queue<int, std::vector<int>, std::greater<>>;
#endif

int main() { return tidemark::describe<asked>().empty(); }
