// SPDX-License-Identifier: BSL-1.0
// tests/reflect/names.test.cpp: the name of a member is the one that was written; floor reflect.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <tidemark/reflect/members.hpp>

namespace named_outside {

struct mean_names {
  int value;  // as the library's own specimen has
  int of;
  int T, I, M, N;
  int a_, m0;
  int _1, _;
  int x9y_;
  int operator_;
};

struct unicode {
  int straße;
  double λ;
  std::string 名前[2];
};

template <class T>
struct generic {
  T held;
  struct nested {
    T deeper[3];
    std::vector<T> list;
  };
};

}  // namespace named_outside

namespace {

using tidemark::reflect::member_name;

struct hidden {
  int secret, other;
};

}  // namespace

TEST_CASE("names survive whatever they look like") {
  using named_outside::mean_names;
  CHECK(member_name<mean_names, 0>() == "value");
  CHECK(member_name<mean_names, 1>() == "of");
  CHECK(member_name<mean_names, 2>() == "T");
  CHECK(member_name<mean_names, 3>() == "I");
  CHECK(member_name<mean_names, 4>() == "M");
  CHECK(member_name<mean_names, 5>() == "N");
  CHECK(member_name<mean_names, 6>() == "a_");
  CHECK(member_name<mean_names, 7>() == "m0");
  CHECK(member_name<mean_names, 8>() == "_1");
  CHECK(member_name<mean_names, 9>() == "_");
  CHECK(member_name<mean_names, 10>() == "x9y_");
  CHECK(member_name<mean_names, 11>() == "operator_");
}

TEST_CASE("names are UTF-8") {
  using named_outside::unicode;
  CHECK(member_name<unicode, 0>() == "stra\xC3\x9F" "e");
  CHECK(member_name<unicode, 1>() == "\xCE\xBB");
  CHECK(member_name<unicode, 2>() == "\xE5\x90\x8D\xE5\x89\x8D");
}

TEST_CASE("names of members of local, hidden, generic and nested types are right") {
  struct local {
    int inside;
    struct {
      int unnamed_type;
    } member_of_unnamed_type;
  };
  using nested = named_outside::generic<std::string>::nested;
  CHECK(member_name<local, 0>() == "inside");
  CHECK(member_name<local, 1>() == "member_of_unnamed_type");
  CHECK(member_name<decltype(local::member_of_unnamed_type), 0>() == "unnamed_type");
  CHECK(member_name<hidden, 1>() == "other");
  CHECK(member_name<named_outside::generic<hidden>, 0>() == "held");
  CHECK(member_name<nested, 0>() == "deeper");
  CHECK(member_name<nested, 1>() == "list");
  CHECK(member_name<const hidden, 0>() == "secret");
}

#ifndef __CUDACC__
TEST_CASE("names are constant expressions") {
  static_assert(member_name<hidden, 0>() == "secret");
  static_assert(member_name<named_outside::mean_names, 0>() == "value");
}
#endif
