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
struct rates {
  int rate = 0;
};
struct versioned {
  static constexpr std::uint32_t checkpoint_version = 4;
  static constexpr renamed_path renamed[] = {{"m", "momentum"}, {"lr", "o.rate"}};
  int momentum = 0;
  rates o;
  static void migrate(versioned&, const stored_record&) {}
};
struct foreign {
  int a = 0;
};

struct mistaken {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr renamed_path renamed[] = {{"a", "nope"}};
  int b = 0;
};
class base_of_all {
  int b_ = 0;

 public:
  static constexpr std::uint32_t checkpoint_version = 5;
  static constexpr auto checkpoint_members = members(&base_of_all::b_);
  static void migrate(base_of_all&, const stored_record&) {}
};
class with_base : public base_of_all {
  int c_ = 0;

 public:
  static constexpr auto checkpoint_members = members(&with_base::c_, base<base_of_all>);
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
  CHECK((v.renames[1].from == "lr" && v.renames[1].to == "o.rate" && v.renames[1].since == 0));
  CHECK(to_text(v) == "{momentum:i32,o:{rate:i32}}/4");
  CHECK(to_text(schema_of<foreign>()) == "{a:i32}/7");
  CHECK(schema_of<foreign>().migrates);
}

TEST_CASE("what a base says of its versions is the base's alone") {
  CHECK(to_text(schema_of<with_base>()) == "{c_:i32,base_of_all:{b_:i32}/5}");
  CHECK_FALSE(schema_of<with_base>().migrates);
  CHECK(schema_of<with_base>().children[1].migrates);
}

TEST_CASE("a rename to what is no member is an error") {
  CHECK_THROWS_AS(schema_of<mistaken>(), error);
}
