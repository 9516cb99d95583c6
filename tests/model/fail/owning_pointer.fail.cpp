// SPDX-License-Identifier: BSL-1.0
// model/fail/owning_pointer.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: a smart pointer is not supported as state; hold the value itself or std::optional
// expect: where cereal can store its target, include <tidemark/cereal.hpp> and opt the pointer in
#include <tidemark/model/schema_of.hpp>

#include <memory>

#ifdef MUST_FAIL
struct state { std::shared_ptr<int> p; };
using asked = state;
#else
struct fine { std::optional<int> p; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
