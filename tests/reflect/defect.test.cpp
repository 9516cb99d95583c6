// SPDX-License-Identifier: BSL-1.0
// tests/reflect/defect.test.cpp: what cannot be reflected is said to be so, and the question always compiles; floor reflect.
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <tidemark/reflect/members.hpp>

namespace {

using tidemark::reflect::defect;
using tidemark::reflect::defect_of;

template <class... T>
constexpr bool all_are(defect expected) {
  return ((defect_of<T> == expected) && ...) && ((defect_of<const T> == expected) && ...);
}

struct no_default {
  explicit no_default(int) {}
};
class with_constructor {
 public:
  explicit with_constructor(int) {}
  int i = 0;
};
struct polymorphic {
  virtual ~polymorphic() = default;
  int i;
};
struct abstract {
  virtual void f() = 0;
};
class private_data {
  int i = 0;
  friend struct reader_of_private_data;
};
struct reader_of_private_data {
  static int read(const private_data& p) { return p.i; }
};
struct final_with_constructor final {
  final_with_constructor() {}
};
struct privately_based : private std::mutex {};
enum class colour { red };

union named {
  int i;
  float f;
};

struct base {
  int i;
};
struct empty_base {};
struct derived : base {
  int j;
};
struct derived_without_members : base {};
struct derived_further : derived {};
struct derived_twice : empty_base, base {
  std::vector<std::unique_ptr<int>> j;
};
struct derived_from_string : std::string {};
struct derived_with_required : base {
  no_default j;
};

struct lvalue_reference {
  int& r;
};
struct const_reference {
  const int& r;
  int k;
};
struct const_string_reference {
  int k;
  const std::string& r;
};
struct rvalue_reference {
  std::string&& r;
};
struct several_references {
  int k[3];
  std::string& s;
  double& d;
};
int somewhere = 0;
struct initialized_reference {
  int k;
  int& r = somewhere;
};
struct move_only_and_reference {
  std::unique_ptr<int> owned;
  int& r;
};

struct anonymous_union {
  int k;
  union {
    int i;
    float f;
  };
};
struct anonymous_union_of_class {
  int k[3];
  union {
    base b;
    float f;
  };
  int z;
};
struct union_of_unnamed_type {
  union {
    int i;
    float f;
  } u;
};

struct bit_field {
  int i : 3;
  int j;
};
struct several_bit_fields {
  unsigned i : 3;
  unsigned j : 5;
  bool b : 1;
};
struct const_bit_field {
  std::string s;
  const int i : 3 = 1;
};

struct greedy_without_default {
  template <class U>
  greedy_without_default(U&&) {}
};
struct holds_greedy {
  int i;
  greedy_without_default g;
};

struct no_data {};
struct takes_any {
  takes_any() = default;
  template <class U>
  takes_any(U&&) {}
};
struct takes_any_constant {
  takes_any_constant() = default;
  template <class U>
  takes_any_constant(const U&) {}
};
struct takes_any_value {
  takes_any_value() = default;
  template <class U>
  takes_any_value(U) {}
};
template <class G>
struct with_data : G {
  using G::G;
  int data = 0;
};
template <class... Bases>
struct over : Bases... {
  int last;
};
template <class M, class... Bases>
struct with_first : Bases... {
  M first;
  int last;
};

template <class G>
void judge_greedy() {
  using greedy_with_data = with_data<G>;
  CHECK(all_are<over<G>, over<no_data, G>, over<G, no_data>, with_first<G>, with_first<greedy_with_data>, with_first<G, no_data>>(defect::none));
  CHECK(all_are<over<greedy_with_data>, over<no_data, greedy_with_data>, over<greedy_with_data, no_data>,
                with_first<G, greedy_with_data>>(defect::has_base_with_data));
  CHECK(tidemark::reflect::member_count<over<G>>() == 1);
  CHECK(tidemark::reflect::member_count<over<no_data, G>>() == 1);
  CHECK(tidemark::reflect::member_count<with_first<G>>() == 2);
  CHECK(tidemark::reflect::member_count<with_first<greedy_with_data>>() == 2);
  CHECK(tidemark::reflect::member_count<with_first<int, G>>() == 2);
  CHECK(tidemark::reflect::member_count<with_first<greedy_with_data, no_data, G>>() == 2);
}

}  // namespace

TEST_CASE("a constructor that takes anything makes no base of a first member, and no member of a base") {
  judge_greedy<takes_any>();
  judge_greedy<takes_any_constant>();
  judge_greedy<takes_any_value>();
}

TEST_CASE("what is no aggregate is not reflected") {
  CHECK(all_are<int, double, colour, int*, std::nullptr_t, std::string, std::vector<int>, std::mutex, std::atomic<int>, std::optional<int>,
                with_constructor, polymorphic, abstract, private_data, final_with_constructor, privately_based>(defect::not_an_aggregate));
  CHECK(all_are<int[3], base[2], char[2][2]>(defect::not_an_aggregate));
  CHECK(defect_of<void> == defect::not_an_aggregate);
  CHECK(defect_of<int&> == defect::not_an_aggregate);
  CHECK(defect_of<int()> == defect::not_an_aggregate);
}

TEST_CASE("a union is not reflected") { CHECK(all_are<named>(defect::is_union)); }

TEST_CASE("a base with data is found") {
  CHECK(all_are<derived, derived_without_members, derived_further, derived_twice, derived_from_string, derived_with_required>(
      defect::has_base_with_data));
}

TEST_CASE("a reference is found") {
  CHECK(all_are<lvalue_reference, const_reference, const_string_reference, rvalue_reference, several_references, initialized_reference,
                move_only_and_reference>(defect::has_reference));
}

TEST_CASE("a union without a name is found") {
  CHECK(all_are<anonymous_union, anonymous_union_of_class, union_of_unnamed_type>(defect::has_anonymous_union));
}

#if !defined(__clang__) || __clang_major__ >= 16  // before, the compiler itself stops at a bit-field
TEST_CASE("a bit-field is found") { CHECK(all_are<bit_field, several_bit_fields, const_bit_field>(defect::has_bit_field)); }
#endif

TEST_CASE("what no value initializes, and what is a tuple already, is not counted") {
  CHECK(all_are<holds_greedy, std::array<int, 3>, std::array<std::string, 0>>(defect::uncountable));
}
