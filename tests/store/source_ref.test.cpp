// SPDX-License-Identifier: BSL-1.0
// store/source_ref.test.cpp: any source behind one type.
#include <tidemark/store/source_ref.hpp>

#include <doctest/doctest.h>

#include "trainer.hpp"

using namespace tidemark;

TEST_CASE("a source that lies in memory is used where it lies, another one is read") {
  const memory m = saved(1);
  const detail::source_ref near(m);
  CHECK(near.is_contiguous());
  CHECK(near.bytes(8, 4).data() == m.bytes().data() + 8);
  CHECK(near.size() == m.size());
  CHECK(near.name() == "memory");
  struct far {
    std::uint64_t size() const { return 3; }
    std::string name() const { return "far"; }
    void read(std::uint64_t offset, std::span<std::byte> into) const {
      for (auto& b : into) b = static_cast<std::byte>(offset++);
    }
  } source;
  const detail::source_ref ref(source);
  CHECK_FALSE(ref.is_contiguous());
  std::byte two[2];
  ref.read(1, two);
  CHECK(two[1] == std::byte{2});
}
