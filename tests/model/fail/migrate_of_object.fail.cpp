// SPDX-License-Identifier: BSL-1.0
// model/fail/migrate_of_object.fail.cpp: a state that is refused, and its twin that is not.
// expect: tidemark: migrate must be static void migrate(T& value, const tidemark::stored_record& old)
#include <tidemark/model/schema_of.hpp>

struct asked {
  static constexpr std::uint32_t checkpoint_version = 2;
  int a = 0;
#ifdef MUST_FAIL
  void migrate(const tidemark::stored_record&) {}
#else
  static void migrate(asked&, const tidemark::stored_record&) {}
#endif
};

int main() { return tidemark::describe<asked>().empty(); }
