// SPDX-License-Identifier: BSL-1.0
// core/host_device.test.cpp: the attribute for nvcc leaves a host compiler alone.
#include <tidemark/core/host_device.hpp>

#include <doctest/doctest.h>

namespace {

TIDEMARK_DETAIL_HOST_DEVICE constexpr int twice(int x) { return 2 * x; }
static_assert(twice(2) == 4);

}  // namespace

TEST_CASE("a function for both sides is an ordinary function on the host") { CHECK(twice(21) == 42); }
