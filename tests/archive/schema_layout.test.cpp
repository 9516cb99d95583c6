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

template <class T>
void check() {
  const tidemark::schema s = make_schema<T>();
  CAPTURE(to_text(s));
  CHECK(is_modular_schema(s) == is_modular<T>::value);
  CHECK(has_runtime_array_in(s) == has_runtime_array<T>::value);
  CHECK(count_source_of_schema(s) == count_source_of<T>());
  CHECK(has_side_tensors_of(s, false) == has_side_tensors<T, false>());
  CHECK(has_side_tensors_of(s, true) == has_side_tensors<T, true>());
  CHECK(takes_nothing(s) == takes_no_bytes<T>());
  if constexpr (category_of<T> == category::map) CHECK(is_named_map_schema(s) == is_named_map<T>);
  if constexpr (Scalar<T>) {
    const scalar_layout layout = layout_of_scalar(s.code);
    CHECK(layout.type == scalar_traits<T>::type);
    CHECK(layout.bytes == scalar_traits<T>::file_bytes);
    CHECK((layout.trailing.empty() ? 0 : layout.trailing[0]) == scalar_traits<T>::trailing);
  }
}

struct table_row {
  std::vector<float> values;
  friend bool operator==(const table_row&, const table_row&) = default;
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
