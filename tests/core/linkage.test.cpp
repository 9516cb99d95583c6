// SPDX-License-Identifier: BSL-1.0
// core/linkage.test.cpp: what is declared without a word on linkage may be defined in each source file, or in one.
#include <tidemark/core/linkage.hpp>

#include <doctest/doctest.h>

namespace {

int twice(int x);
int quadruple(int x) { return twice(twice(x)); }
TIDEMARK_DETAIL_INLINE int twice(int x) { return 2 * x; }

}  // namespace

TEST_CASE("a definition behind its use is an ordinary function") { CHECK(quadruple(21) == 84); }
