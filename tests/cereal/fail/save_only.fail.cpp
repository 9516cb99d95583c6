// SPDX-License-Identifier: BSL-1.0
// cereal/fail/save_only.fail.cpp: a type that opts in with functions that only write, and its twin that has both.
// expect: tidemark: this type says use_cereal<T>, but cereal finds no functions that both write and read it
#include <tidemark/cereal.hpp>
#include <tidemark/store.hpp>

class half {
 public:
  template <class Archive>
  void save(Archive& archive) const { archive(v_); }
#ifndef MUST_FAIL
  template <class Archive>
  void load(Archive& archive) { archive(v_); }
#endif

 private:
  int v_ = 0;
};
template <> inline constexpr bool tidemark::use_cereal<half> = true;

int main() {
  tidemark::memory archive;
  tidemark::save(half{}, archive);
}
