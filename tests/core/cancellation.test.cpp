// SPDX-License-Identifier: BSL-1.0
// core/cancellation.test.cpp: whatever can say that it is time to stop is taken, and nothing else stops anything.
#include <tidemark/core/cancellation.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <type_traits>
#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

using namespace tidemark;

namespace {

/// A stop token of a program's own.
struct token {
  const bool* is_set;
  bool stop_requested() const { return *is_set; }
};

void require_cancelled(const cancellation& c) {
  CHECK(c.requested());
  try {
    c.check();
    FAIL("went on");
  } catch (const error& e) {
    CHECK(e.code() == errc::cancelled);
  }
}

}  // namespace

TEST_CASE("without anything to ask nothing is cancelled") {
  const cancellation never;
  CHECK_FALSE(never.requested());
  never.check();
  const cancellation empty = std::function<bool()>{};
  CHECK_FALSE(empty.requested());
  empty.check();
}

TEST_CASE("a token is asked each time, and copies ask the same one") {
  bool is_set = false;
  const cancellation c = token{&is_set};
  const cancellation copy = c;
  CHECK_FALSE(c.requested());
  c.check();
  is_set = true;
  require_cancelled(c);
  require_cancelled(copy);
  is_set = false;
  copy.check();
}

TEST_CASE("a question is asked each time, once") {
  std::atomic<int> asked{0};
  const cancellation c = [&] { return ++asked > 2; };
  c.check();
  CHECK_FALSE(c.requested());
  CHECK(asked == 2);
  require_cancelled(c);
  const cancellation from_pointer = +[] { return true; };
  require_cancelled(from_pointer);
}

TEST_CASE("an exception of the question reaches who asked") {
  const cancellation c = []() -> bool { throw 7; };
  CHECK_THROWS_AS(c.check(), int);
}

TEST_CASE("what cannot say whether to stop is not taken") {
  static_assert(!std::is_constructible_v<cancellation, int>);
  static_assert(!std::is_constructible_v<cancellation, const char*>);
  static_assert(!std::is_constructible_v<cancellation, void (*)()>);
  static_assert(std::is_nothrow_move_constructible_v<cancellation> && std::is_copy_constructible_v<cancellation>);
}

#if defined(__cpp_lib_jthread)
TEST_CASE("a std::stop_token cancels once its source asks for it") {
  std::stop_source source;
  const cancellation c = source.get_token();
  c.check();
  source.request_stop();
  require_cancelled(c);
}
#endif
