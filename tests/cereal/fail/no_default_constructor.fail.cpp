// SPDX-License-Identifier: BSL-1.0
// cereal/fail/no_default_constructor.fail.cpp: a type that opts in and cannot be made anew, and its twin behind a pointer, which cereal makes.
// expect: tidemark: this type is made anew on load, which needs a default and a move constructor
#include <tidemark/cereal.hpp>
#include <tidemark/model/schema_of.hpp>

#include <memory>

struct fixed {
  explicit fixed(int value) : v(value) {}
  int v;
  template <class Archive>
  void serialize(Archive& archive) { archive(v); }
};
template <> inline constexpr bool tidemark::use_cereal<fixed> = true;
template <> inline constexpr bool tidemark::use_cereal<std::shared_ptr<fixed>> = true;
#ifdef MUST_FAIL
using asked = fixed;
#else
using asked = std::shared_ptr<fixed>;
#endif

int main() { return tidemark::describe<asked>().empty(); }
