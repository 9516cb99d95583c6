// SPDX-License-Identifier: BSL-1.0
// run/kept_failure.hpp: an error of the background comes out once.
#include <tidemark/run/kept_failure.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <stdexcept>

using namespace tidemark;

TEST_CASE("the first error is kept and told once; that something was cancelled is none") {
  detail::kept_failure failure;
  CHECK_NOTHROW(failure.rethrow());
  failure.keep(std::make_exception_ptr(error({.code = errc::cancelled})));
  CHECK_NOTHROW(failure.rethrow());
  failure.keep(std::make_exception_ptr(std::runtime_error("first")));
  failure.keep(std::make_exception_ptr(error({.code = errc::io})));
  CHECK_THROWS_WITH(failure.rethrow(), "first");
  CHECK_NOTHROW(failure.rethrow());
  failure.keep(std::make_exception_ptr(7));
  CHECK_THROWS_AS(failure.rethrow(), int);
}
