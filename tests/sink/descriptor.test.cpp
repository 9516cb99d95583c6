// SPDX-License-Identifier: BSL-1.0
// tests/sink/descriptor.test.cpp: an open file that closes itself, once.
#include <tidemark/sink/descriptor.hpp>

#include <doctest/doctest.h>
#include "scripted_ops.hpp"

#include <utility>

using namespace tidemark;

TEST_CASE("a descriptor closes once, moves, and reports what closing said") {
  scripted::script log;
  {
    detail::descriptor<scripted::ops> a(scripted::ops{log}, ::open("/dev/null", O_RDONLY | O_CLOEXEC));
    detail::descriptor<scripted::ops> b(std::move(a));
    CHECK(b.is_open());
    b = detail::descriptor<scripted::ops>(scripted::ops{log}, ::open("/dev/null", O_RDONLY | O_CLOEXEC));
    CHECK(log.trace.size() == 1);
    log.fail_at = 1;
    log.error = EIO;
    CHECK(b.close() < 0);
    CHECK(errno == EIO);
    CHECK_FALSE(b.is_open());
    CHECK(b.close() == 0);
  }
  CHECK(log.trace.size() == 2);
}
