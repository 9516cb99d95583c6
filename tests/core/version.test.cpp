// SPDX-License-Identifier: BSL-1.0
// core/version.test.cpp: the version of the library and of its format.
#include <tidemark/core/version.hpp>

#include <doctest/doctest.h>

TEST_CASE("the versions are those that the package and docs/format.md state") {
  CHECK(tidemark::version.major == 0);
  CHECK(tidemark::version.minor == 1);
  CHECK(tidemark::format_version == 1);
}
