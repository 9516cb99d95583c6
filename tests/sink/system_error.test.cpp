// SPDX-License-Identifier: BSL-1.0
// tests/sink/system_error.test.cpp: what an errno tells a user.
#include <tidemark/sink/system_error.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"

#include <string>

using namespace tidemark;

TEST_CASE("an errno becomes a code to branch on, the system's words, and advice") {
  const auto code = [](int number) { return detail::code_of_errno(number); };
  CHECK(code(ENOENT) == errc::not_found);
  CHECK(code(ENOTDIR) == errc::not_found);
  CHECK(code(EEXIST) == errc::exists);
  CHECK(code(ENOSPC) == errc::no_space);
  CHECK(code(EDQUOT) == errc::no_space);
  CHECK(code(ELOOP) == errc::unsafe_path);
  for (const int number : {EACCES, EPERM, EROFS, EIO, EXDEV, EMFILE, EFBIG}) CHECK(code(number) == errc::io);
  const auto failure = scratch::failure_of([] { detail::throw_save_errno(ENOSPC, "run/a", "writing failed", 123456); });
  REQUIRE(failure);
  CHECK(failure->system() == ENOSPC);
  CHECK(std::string(failure->what()) ==
        "tidemark: run/a: writing failed (No space left on device); expected 123456 bytes of space.\n"
        "  Free that much space (or inodes) on this filesystem, or choose another place. What was at this path before is untouched.");
}

TEST_CASE("every errno that a save or load meets has words of the system, and the common ones have advice") {
  for (const int number : {EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EMFILE, ENFILE, ENAMETOOLONG, EFBIG, EIO, EXDEV, ENOENT, ENOTDIR}) {
    const auto failure = scratch::failure_of([&] { detail::throw_errno(number, {.file = "f", .problem = "p"}); });
    REQUIRE(failure);
    CHECK(failure->system() == number);
    CHECK_FALSE(failure->details().advice.empty());
    CHECK(failure->details().problem == "p (" + std::generic_category().message(number) + ")");
  }
  const auto own = scratch::failure_of([&] { detail::throw_errno(EIO, {.file = "f", .problem = "p", .advice = "mine"}); });
  CHECK(own->details().advice == "mine");
}
