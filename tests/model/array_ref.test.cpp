// SPDX-License-Identifier: BSL-1.0
// model/array_ref.test.cpp: extents and strides of memory that the program owns.
#include <tidemark/model/array_ref.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/schema_of.hpp>

#include <array>
#include <span>

#include <vector>

using namespace tidemark;

TEST_CASE("an array is dense unless strides say otherwise") {
  std::vector<float> memory(24);
  const array_ref a{memory.data(), {2, 3, 4}};
  static_assert(std::is_same_v<decltype(a), const array_ref<float, 3>>);
  CHECK(a.size() == 24);
  CHECK(a.is_dense());
  CHECK(a.strides() == std::array<std::ptrdiff_t, 3>{12, 4, 1});
  const array_ref b{memory.data(), {3, 2}, {1, 3}};
  CHECK_FALSE(b.is_dense());
  CHECK(b.size() == 6);
  CHECK(array_ref<int>().size() == 0);
  CHECK(array_ref<int, 2>().is_dense());
}

TEST_CASE("its schema is that of an array of as many extents") {
  CHECK(to_text(schema_of<array_ref<float>>()) == "[f32]");
  CHECK(to_text(schema_of<array_ref<double, 3>>()) == "[f64;*,*,*]");
  CHECK(to_text(schema_of<std::span<std::array<short, 2>>>()) == "[[i16;2]]");
  CHECK(to_text(schema_of<named_tensors>()) == "<text,*>");
  CHECK(schema_of<array_ref<float>>() == schema_of<std::vector<float>>());
}
