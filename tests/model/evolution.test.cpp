// SPDX-License-Identifier: BSL-1.0
// model/evolution.test.cpp: a type's version, renames and migrate function, stated by itself or for it.
#include <tidemark/model/evolution.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/schema_of.hpp>

using namespace tidemark;

namespace {

struct plain {
  int a = 0;
};
struct versioned {
  static constexpr std::uint32_t checkpoint_version = 4;
  static constexpr renamed_path renamed[] = {{"m", "momentum"}, {"lr", "o.rate"}};
  int momentum = 0;
  static void migrate(versioned&, const stored_record&) {}
};
struct foreign {
  int a = 0;
};

}  // namespace
template <>
struct tidemark::evolution<foreign> {
  static constexpr std::uint32_t checkpoint_version = 7;
  static void migrate(foreign&, const stored_record&) {}
};

TEST_CASE("a type is of version 1 unless it says otherwise, or a specialisation does") {
  CHECK(schema_of<plain>().version == 1);
  CHECK_FALSE(schema_of<plain>().migrates);
  const schema& v = schema_of<versioned>();
  CHECK(v.version == 4);
  CHECK(v.migrates);
  REQUIRE(v.renames.size() == 2);
  CHECK(v.renames[1] == std::pair<std::string, std::string>("lr", "o.rate"));
  CHECK(to_text(v) == "{momentum:i32}/4");
  CHECK(to_text(schema_of<foreign>()) == "{a:i32}/7");
  CHECK(schema_of<foreign>().migrates);
}
