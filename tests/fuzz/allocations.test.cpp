// SPDX-License-Identifier: BSL-1.0
// fuzz/allocations.test.cpp: the memory that a call takes is counted, and too much of it is seen.
#include "allocations.hpp"

#include "replaced_new.hpp"

#include <doctest/doctest.h>

#include <new>
#include <vector>

TEST_CASE("memory is counted while it is live, and at its peak") {
  const auto before = fuzz::allocations.live;
  {
    const std::vector<char> a(1000);
    CHECK(fuzz::allocations.live == before + 1000);
    { const std::vector<char> b(500); }
    CHECK(fuzz::allocations.live == before + 1000);
  }
  CHECK(fuzz::allocations.live == before);
  CHECK(fuzz::allocations.is_counting);
}

TEST_CASE("a call that takes more than it may is a defect, also where it gives it back, and where it throws at once") {
  const auto takes = [](std::size_t size) { return [size] { ::operator delete(::operator new(size)); }; };  // called by name, a compiler may not leave them out
  CHECK_NOTHROW(fuzz::within(1000, takes(1000)));
  CHECK_THROWS_AS(fuzz::within(1000, takes(1001)), fuzz::defect);
  CHECK(fuzz::within(1000, [] { return 5; }) == 5);
  CHECK_THROWS_AS(fuzz::within(1000, [] { return std::vector<int>(1000).size(); }), fuzz::defect);
}
