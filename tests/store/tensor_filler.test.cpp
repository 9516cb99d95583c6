// SPDX-License-Identifier: BSL-1.0
// store/tensor_filler.test.cpp: memory is made before anything is touched, and arrays of the right size keep their place.
#include <tidemark/store/tensor_filler.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <new>

#include "foreign.hpp"

using namespace tidemark;

namespace {

/// Has so many allocations left; -1: as many as one likes.
int allocations_left = -1;

template <class T>
struct scarce {
  using value_type = T;
  scarce() = default;
  template <class U>
  scarce(const scarce<U>&) {}
  T* allocate(std::size_t n) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) { std::allocator<T>().deallocate(p, n); }
  friend bool operator==(const scarce&, const scarce&) { return true; }
};

struct arrays {
  std::vector<float, scarce<float>> a{1}, b{2}, c{3, 4};
};

}  // namespace

TEST_CASE("where memory ends on the way, nothing is touched; arrays that are large enough keep their address") {
  const archive_view view(foreign_file({tensor_of<float>("a", "F32", "[2]", {5, 6}), tensor_of<float>("b", "F32", "[3]", {7, 8, 9}), tensor_of<float>("c", "F32", "[2]", {0, 1})}));
  const name_map names;
  for (int left = 0; left < 3; ++left) {
    arrays target;
    const float* c = target.c.data();
    detail::tensor_filler filler(view, names);
    filler.collect(target, {});
    filler.require_all_found();
    allocations_left = left;
    if (left < 2) CHECK_THROWS_AS(filler.fill(), std::bad_alloc);
    else filler.fill();
    allocations_left = -1;
    CHECK(target.a.size() == (left < 2 ? 1 : 2));
    CHECK(target.a[0] == (left < 2 ? 1 : 5));
    CHECK(target.b[0] == (left < 2 ? 2 : 7));
    CHECK(target.c[0] == (left < 2 ? 3 : 0));
    CHECK(target.c.data() == c);
  }
}
