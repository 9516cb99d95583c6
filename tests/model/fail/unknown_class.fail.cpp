// SPDX-License-Identifier: BSL-1.0
// model/fail/unknown_class.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class has a constructor, a private member or a virtual function, and says nothing of its state
#include <tidemark/model/schema_of.hpp>

#include <mutex>

#ifdef MUST_FAIL
struct state { std::mutex m; };
using asked = state;
#else
struct fine { int m; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
