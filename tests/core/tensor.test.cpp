// SPDX-License-Identifier: BSL-1.0
// core/tensor.test.cpp: the bytes of a shape.
#include <tidemark/core/tensor.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tidemark;

namespace {

struct counted {
  std::uint64_t bytes;
  bool fits;
};
counted bytes(dtype type, std::vector<std::uint64_t> shape) {
  bool fits = true;
  const auto count = detail::tensor_bytes(type, shape, fits);
  return {count, fits};
}

}  // namespace

TEST_CASE("a scalar has one element, an empty extent none, whatever the others are") {
  CHECK(bytes(dtype::f32, {}).bytes == 4);
  CHECK(bytes(dtype::f64, {3, 5}).bytes == 120);
  CHECK(bytes(dtype::f64, {0}).bytes == 0);
  CHECK(bytes(dtype::f64, {UINT64_MAX, 0, UINT64_MAX}).bytes == 0);
  CHECK(bytes(dtype::f64, {UINT64_MAX, 0, UINT64_MAX}).fits);
}

TEST_CASE("sizes beyond 64 bits, and packed elements that end inside a byte, do not fit") {
  CHECK_FALSE(bytes(dtype::u8, {UINT64_MAX, 2}).fits);
  CHECK_FALSE(bytes(dtype::u8, {std::uint64_t{1} << 32, std::uint64_t{1} << 32}).fits);
  CHECK_FALSE(bytes(dtype::f4, {3}).fits);
  CHECK(bytes(dtype::f4, {4}).bytes == 2);
  CHECK(bytes(dtype::f6_e2m3, {4}).bytes == 3);
  CHECK_FALSE(bytes(dtype::f6_e2m3, {2}).fits);
}

TEST_CASE("a tensor prints as dtype and shape") {
  CHECK(detail::shape_text(dtype::f32, std::vector<std::uint64_t>{3, 4}) == "F32 [3, 4]");
  CHECK(detail::shape_text(dtype::boolean, {}) == "BOOL []");
}
