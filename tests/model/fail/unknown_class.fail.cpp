// SPDX-License-Identifier: BSL-1.0
// model/fail/unknown_class.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: this class has a constructor, a private member or a virtual function, and says nothing of its state
#include <tidemark/model/schema_of.hpp>

class silent {
  int secret_ = 0;

 public:
  int secret() const { return secret_; }
};
class telling {
  int secret_ = 0;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&telling::secret_);
};

#ifdef MUST_FAIL
struct state { silent s; };
using asked = state;
#else
struct fine { telling s; };
using asked = fine;
#endif

int main() { return tidemark::describe<asked>().empty(); }
