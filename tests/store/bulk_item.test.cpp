// SPDX-License-Identifier: BSL-1.0
// store/bulk_item.test.cpp: a hundred thousand tensors that are put off stay small. What is done with them: bulk_reader.test.cpp.
#include <tidemark/store/bulk_item.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using tidemark::detail::bulk_item;

static_assert(sizeof(bulk_item) <= 24 && std::is_trivially_copyable_v<bulk_item>);

TEST_CASE("an item says what is done with its tensor, and where to") {
  int to = 0;
  const bulk_item item{3, bulk_item::copy, &to, nullptr};
  CHECK(item.tensor == 3);
  CHECK(item.is == bulk_item::copy);
  CHECK(item.to == &to);
}
