// SPDX-License-Identifier: BSL-1.0
// model/fail/inherited_list.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class has checkpoint_members or snapshot() from a base alone
#include <tidemark/model/schema_of.hpp>

class base {
  int b_ = 0;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&base::b_);
};
#ifdef MUST_FAIL
class derived : public base {
  int d_ = 0;
};
#else
class derived : public base {
  int d_ = 0;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&derived::d_, tidemark::base<base>);
};
#endif
using asked = derived;

int main() { return tidemark::describe<asked>().empty(); }
