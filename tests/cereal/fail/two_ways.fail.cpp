// SPDX-License-Identifier: BSL-1.0
// cereal/fail/two_ways.fail.cpp: a type that opts in and is represented as well, and its twin that only opts in.
// expect: tidemark: this type says in two ways what its state is
#include <tidemark/cereal.hpp>
#include <tidemark/model/schema_of.hpp>

struct state {
  int v = 0;
  template <class Archive>
  void serialize(Archive& archive) { archive(v); }
};
template <> inline constexpr bool tidemark::use_cereal<state> = true;
#ifdef MUST_FAIL
template <>
struct tidemark::represent<state> {
  static std::string name() { return "state"; }
  static int snapshot(const state& s) { return s.v; }
  static void restore(state& s, int&& v) { s.v = v; }
};
#endif

int main() { return tidemark::describe<state>().empty(); }
