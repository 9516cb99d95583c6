// SPDX-License-Identifier: BSL-1.0
// model/member_list.test.cpp: what classes list, what they leave out, and under which names.
#include <tidemark/model/schema_of.hpp>

#include <doctest/doctest.h>

#include <mutex>
#include <string>
#include <vector>

using namespace tidemark;

namespace shapes {

class base {
  int id_ = 1;

 public:
  static constexpr auto checkpoint_members = members(&base::id_);
};
template <class T>
struct holder {
  T held{};
};
struct tag {};

}  // namespace shapes

namespace {

class closed : public shapes::base, public shapes::holder<float> {
  int step_ = 2;
  std::vector<double> rates_;
  float grid_[2][3]{};
  std::mutex lock_;  // left out

 public:
  static constexpr auto checkpoint_members =
      members(&closed::step_, member("learning_rates", &closed::rates_), &closed::grid_, tidemark::base<shapes::base>, tidemark::base<shapes::holder<float>>);
};
class named_base : public shapes::base {
 public:
  int x = 0;
  static constexpr auto checkpoint_members = members(member("root", tidemark::base<shapes::base>), &named_base::x);
};
struct some {
  int a = 0, b = 0;
  transient<std::string> note;
  std::vector<float> cache;
  int c[2] = {};
  std::mutex* handle = nullptr;
  static constexpr auto checkpoint_skip = members(&some::cache, &some::handle);
};
struct only_what_it_lists {
  int a = 0, b = 0;
  static constexpr auto checkpoint_members = members(&only_what_it_lists::b);
};
struct nothing_left {
  transient<int> a;
  int b = 0;
  static constexpr auto checkpoint_skip = members(&nothing_left::b);
};

constexpr std::string_view bad_names[] = {"", "a b", "a:b", "a.b", "x#", "tidemark#digests", "\xf6", "a\n", "a\"", "a\\", "{", "%41", "=", "\x7f"};
template <int Which>
struct named_badly {
  int own = 0, other = 0;
  static constexpr auto checkpoint_members = members(member(bad_names[Which], &named_badly::own), &named_badly::other);
};
struct named_twice {
  int a = 0, b = 0;
  static constexpr auto checkpoint_members = members(member("a", &named_twice::a), member("a", &named_twice::b));
};
struct named_well {
  int a = 0;
  static constexpr auto checkpoint_members = members(member("gr\u00f6\u00dfe-2", &named_well::a));
};

}  // namespace

TEST_CASE("a given name that would break a schema or a header is an error before anything is saved") {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ([] { CHECK_THROWS_AS(schema_of<named_badly<I>>(), error); }(), ...);
  }(std::make_integer_sequence<int, 14>{});
  CHECK_THROWS_AS(schema_of<named_twice>(), error);
  CHECK(to_text(schema_of<named_well>()) == "{gr\u00f6\u00dfe-2:i32}");
}

TEST_CASE("a class lists members and bases, under their own names or given ones") {
  CHECK(to_text(schema_of<closed>()) == "{step_:i32,learning_rates:[f64],grid_:[[f32;3];2],base:{id_:i32},holder:{held:f32}}");
  CHECK(to_text(schema_of<named_base>()) == "{root:{id_:i32},x:i32}");
  CHECK(to_text(schema_of<only_what_it_lists>()) == "{b:i32}");
}

TEST_CASE("what is transient or skipped is no state, wherever it stands") {
  CHECK(to_text(schema_of<some>()) == "{a:i32,b:i32,c:[i32;2]}");
  CHECK(to_text(schema_of<nothing_left>()) == "{}");
  some s;
  s.c[1] = 7;
  CHECK(&detail::child<2>(s) == &s.c);
  CHECK(detail::child_name<some, 2>() == "c");
}

TEST_CASE("the name of a base is its last identifier") {
  CHECK(reflect::type_identifier<shapes::tag>() == "tag");
  CHECK(reflect::type_identifier<shapes::holder<std::vector<shapes::tag>>>() == "holder");
  struct local {};
  CHECK(reflect::type_identifier<local>() == "local");
}

TEST_CASE("a transient is used like a pointer to its value") {
  transient<std::string> t{"abc"};
  CHECK(t->size() == 3);
  *t = "d";
  CHECK(std::as_const(t)->size() == 1);
  CHECK(*std::as_const(t) == "d");
}
