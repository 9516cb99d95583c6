// SPDX-License-Identifier: BSL-1.0
// archive/schema_layout.test.cpp: a schema at run time and a type at compile time give the same tensors.
#include <tidemark/archive/schema_layout.hpp>

#include <doctest/doctest.h>

#include <tidemark/archive/leaves.hpp>
#include <tidemark/model/schema_of.hpp>
#include <tidemark/model/schema_text.hpp>

#include "std_samples.hpp"

using namespace tidemark::detail;

namespace {

/// What one side says of a type. Compared outside the template, since each CHECK costs the compiler more than what it checks.
struct facts {
  bool is_modular = false, has_runtime_array = false, has_side_tensors = false, has_side_tensors_in_columns = false, takes_nothing = false, is_named_map = false;
  int counts_by = 0;
  int type = 0;
  std::uint64_t bytes = 0, trailing = 0;
};

void compare(const tidemark::schema& s, const facts& by_schema, const facts& by_type) {
  CAPTURE(to_text(s));
  CHECK(by_schema.is_modular == by_type.is_modular);
  CHECK(by_schema.has_runtime_array == by_type.has_runtime_array);
  CHECK(by_schema.counts_by == by_type.counts_by);
  CHECK(by_schema.has_side_tensors == by_type.has_side_tensors);
  CHECK(by_schema.has_side_tensors_in_columns == by_type.has_side_tensors_in_columns);
  CHECK(by_schema.takes_nothing == by_type.takes_nothing);
  CHECK(by_schema.is_named_map == by_type.is_named_map);
  CHECK(by_schema.type == by_type.type);
  CHECK(by_schema.bytes == by_type.bytes);
  CHECK(by_schema.trailing == by_type.trailing);
}

facts facts_of(const tidemark::schema& s, bool is_map, bool is_scalar) {
  facts all{is_modular_schema(s), has_runtime_array_in(s), has_side_tensors_of(s, false), has_side_tensors_of(s, true), takes_nothing(s),
            is_map && is_named_map_schema(s), static_cast<int>(count_source_of_schema(s)), 0, 0, 0};
  if (is_scalar) {
    const scalar_layout layout = layout_of_scalar(s.code);
    all.type = static_cast<int>(layout.type);
    all.bytes = layout.bytes;
    all.trailing = layout.trailing.empty() ? 0 : layout.trailing[0];
  }
  return all;
}

template <class T>
void check() {
  constexpr bool is_map = category_of<T> == category::map;
  facts all{is_modular<T>::value, has_runtime_array<T>::value, has_side_tensors<T, false>(), has_side_tensors<T, true>(), takes_no_bytes<T>(),
            false, static_cast<int>(count_source_of<T>()), 0, 0, 0};
  if constexpr (is_map) all.is_named_map = is_named_map<T>;
  if constexpr (Scalar<T>) {
    all.type = static_cast<int>(scalar_traits<T>::type);
    all.bytes = scalar_traits<T>::file_bytes;
    all.trailing = scalar_traits<T>::trailing;
  }
  const tidemark::schema s = make_schema<T>();
  compare(s, facts_of(s, is_map, Scalar<T>), all);
}

struct table_row {
  std::vector<float> values;
  bool operator==(const table_row&) const = default;
};

}  // namespace

TEST_CASE("a map is known by its own tag, not by one that only looks like it") {
  const auto parsed = [](const char* text) { return tidemark::parse_schema(text); };
  for (const char* text : {"<text,[f32]>", "@multiplex=<text,[f32]>", "@unordered=<text,[f32]>", "@a=@unordered=<text,[f32]>", "@not_multi=<text,[f32]>"}) CHECK(is_named_map_schema(parsed(text)));
  for (const char* text : {"@multi=<text,[f32]>", "@a=@multi=<text,[f32]>", "@unordered_multi=<text,[f32]>", "@path<multi>=@unordered_multi=<text,[f32]>"}) CHECK_FALSE(is_named_map_schema(parsed(text)));
  for (const char* text : {"@unordered=[i32]", "@a=@unordered=[i32]", "@unordered_multi=<i32,i32>"}) CHECK(is_unordered_schema(parsed(text)));
  for (const char* text : {"[i32]", "@reunordered=[i32]", "@multi=<i32,i32>", "@unordered=@a=[i32]"}) CHECK_FALSE(is_unordered_schema(parsed(text)));
}
template <>
inline constexpr bool tidemark::as_rows<table_row> = true;

TEST_CASE("every leaf, holder and standard type") {
  samples::for_each_leaf([]<class L>() { samples::for_each_holder<L>([]<class T>() { check<T>(); }); });
  samples::for_each_std_type([]<class T>() {
    check<T>();
    if constexpr (std::is_move_constructible_v<T>) samples::for_each_holder<T>([]<class H>() { check<H>(); });
  });
  check<std::vector<table_row>>();
  CHECK_FALSE(is_modular<table_row>::value);
  CHECK(to_text(make_schema<table_row>()) == "#{values:[f32]}");
}

TEST_CASE("a code that nobody knows is an error") {
  CHECK_THROWS_AS(layout_of_scalar("f33"), tidemark::error);
  CHECK_THROWS_AS(layout_of_scalar("complex:x"), tidemark::error);
  CHECK_THROWS_AS(layout_of_scalar("f4"), tidemark::error);
}
