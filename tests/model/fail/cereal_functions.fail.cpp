// SPDX-License-Identifier: BSL-1.0
// model/fail/cereal_functions.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this type has cereal functions; include <tidemark/cereal.hpp> and opt in: template <> inline constexpr bool tidemark::use_cereal<T> = true
#include <tidemark/model/schema_of.hpp>

#ifdef MUST_FAIL
struct layer {
  int v;
  template <class Archive>
  void serialize(Archive& archive) { archive(v); }
};
struct state { std::vector<layer> layers; };
using asked = state;
#else
struct layer {
  int v;
  void serialize(int) const {}
};
struct fine { std::vector<layer> layers; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
