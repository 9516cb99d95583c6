// SPDX-License-Identifier: BSL-1.0
// store/failures.test.cpp: an error from below learns what was being done, and to which file.
#include <tidemark/store/failures.hpp>

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>

using namespace tidemark;

TEST_CASE("the action and the file are added, what is known stays, other exceptions pass") {
  const auto message = [](error_details details) -> std::string {
    try {
      detail::doing("load", [] { return std::string("a.safetensors"); }, [&] { throw error(details); });
    } catch (const error& e) {
      return e.what();
    }
    return "none";
  };
  CHECK(message({.problem = "it is damaged"}) == "tidemark: cannot load a.safetensors: it is damaged.");
  CHECK(message({.file = "other", .problem = "it is damaged"}) == "tidemark: cannot load other: it is damaged.");
  CHECK_THROWS_AS(detail::doing("load", [] { return std::string(); }, []() -> int { throw std::runtime_error("mine"); }), std::runtime_error);
  try {
    detail::doing("load", [] { return std::string("a"); }, [] { throw std::bad_alloc(); });
    FAIL("returned");
  } catch (const error& e) {
    CHECK(e.code() == errc::no_space);
  }
  CHECK(detail::doing("load", [] { return std::string(); }, [] { return 5; }) == 5);
}
