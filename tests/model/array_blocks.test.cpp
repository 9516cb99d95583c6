// SPDX-License-Identifier: BSL-1.0
// model/array_blocks.test.cpp: an array behind functions is an array to the schema. How it is saved: archive/borrowed.test.cpp.
#include <tidemark/model/array_blocks.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/schema_of.hpp>

using namespace tidemark;

TEST_CASE("it is restored in place, and its schema is that of an array of as many extents") {
  static_assert(Restorable<array_blocks<float, 2>> && !Checkpointable<array_blocks<float, 2>>);
  CHECK(schema_of<array_blocks<float, 2>>() == schema_of<array_ref<float, 2>>());
  const array_blocks<float, 2> a{.shape = {2, 5}};
  CHECK(detail::borrowed_array<array_blocks<float, 2>>::shape(a) == std::array<std::uint64_t, 2>{2, 5});
}
