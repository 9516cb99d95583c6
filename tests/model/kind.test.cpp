// SPDX-License-Identifier: BSL-1.0
// model/kind.test.cpp: the closed set of kinds.
#include <tidemark/model/kind.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

TEST_CASE("every kind has a name of its own") {
  std::set<std::string> names;
  for (int k = 0; k <= static_cast<int>(tidemark::kind::record); ++k) names.emplace(tidemark::name_of(static_cast<tidemark::kind>(k)));
  CHECK(names.size() == 9);
}
