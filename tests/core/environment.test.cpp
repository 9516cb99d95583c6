// SPDX-License-Identifier: BSL-1.0
// core/environment.test.cpp: the checks of the environment let this compiler pass.
#include <tidemark/core/environment.hpp>

#include <doctest/doctest.h>

#include <bit>

TEST_CASE("this compiler and target pass the checks that archives rely on") {
  CHECK(std::endian::native == std::endian::little);
  CHECK(std::bit_cast<unsigned>(1.0f) == 0x3f800000u);
}
