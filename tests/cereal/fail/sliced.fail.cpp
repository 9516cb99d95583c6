// SPDX-License-Identifier: BSL-1.0
// cereal/fail/sliced.fail.cpp: a class that is stored by its base's function alone, deep in an opted-in type, and its twin that adds nothing.
// expect: tidemark: the cereal function of this type is its base's, which leaves out what the type adds
#include <tidemark/cereal.hpp>
#include <tidemark/store.hpp>

#include <cereal/types/vector.hpp>

struct base {
  int v = 0;
  template <class Archive>
  void serialize(Archive& archive) { archive(v); }
};
struct derived : base {
#ifdef MUST_FAIL
  double added = 0;
#endif
};
struct holder {
  std::vector<derived> all;
  template <class Archive>
  void serialize(Archive& archive) { archive(all); }
};
template <> inline constexpr bool tidemark::use_cereal<holder> = true;

int main() {
  tidemark::memory archive;
  tidemark::save(holder{}, archive);
}
