// SPDX-License-Identifier: BSL-1.0
// run/child_answer.hpp: what a child that saved tells its parent.
#include <tidemark/run/child_answer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

using namespace tidemark;

namespace {

error failure_of(const std::string& answer) {
  try {
    static_cast<void>(detail::read_answer(answer));
  } catch (const error& e) {
    return e;
  }
  FAIL("no error");
  return error({});
}

}  // namespace

TEST_CASE("the parent of a forked save learns all that the child knows of what it saved") {
  saved_checkpoint saved{.step = UINT64_MAX, .sequence = 7, .path = "run/a:b,12\n:step-1-7", .bytes = std::uint64_t{1} << 40, .seconds = 0.1, .level = durability::power};
  for (std::size_t i = 0; i < saved.digest.bytes.size(); ++i) saved.digest.bytes[i] = static_cast<decltype(saved.digest.bytes)::value_type>(i * 17);
  for (const durability level : {durability::none, durability::process, durability::power}) {
    saved.level = level;
    const saved_checkpoint told = detail::read_answer(detail::answer_of([&] { return saved; }));
    CHECK(told.step == saved.step);
    CHECK(told.sequence == saved.sequence);
    CHECK(told.path == saved.path);
    CHECK(told.bytes == saved.bytes);
    CHECK(told.seconds == saved.seconds);
    CHECK(told.level == level);
    CHECK(told.digest == saved.digest);
  }
}

TEST_CASE("an error of every code comes out of the child as it was") {
  for (int code = 0; code <= static_cast<int>(errc::cancelled); ++code) {
    const error_details given{.code = static_cast<errc>(code), .action = "save", .file = "a\nb", .tensor = "t#1", .problem = "p: 3:x", .expected = "e", .found = "", .advice = "do", .system = code};
    const error told = failure_of(detail::answer_of([&]() -> saved_checkpoint { throw error(given); }));
    CHECK(told.code() == given.code);
    CHECK(told.system() == code);
    CHECK(told.tensor() == "t#1");
    CHECK(std::string(told.what()) == error(given).what());
  }
}

TEST_CASE("an exception of user code in the child carries its text") {
  CHECK(std::string(failure_of(detail::answer_of([]() -> saved_checkpoint { throw std::runtime_error("the cache is cold"); })).what()).find("the cache is cold") != std::string::npos);
  CHECK(std::string(failure_of(detail::answer_of([]() -> saved_checkpoint { throw std::bad_alloc(); })).what()).find("bad_alloc") != std::string::npos);
  CHECK(failure_of(detail::answer_of([]() -> saved_checkpoint { throw 3; })).code() == errc::invalid_value);
}

TEST_CASE("an answer that is cut anywhere is an error, never a checkpoint") {
  const std::string whole = detail::answer_of([] { return saved_checkpoint{.step = 12, .path = "run/step-12-1", .seconds = 1.5, .level = durability::power}; });
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK(failure_of(whole.substr(0, length)).code() == errc::io);
  for (const char* garbage : {"x", "5", "5:", "99999999999999999999:a", "18446744073709551615:a", "-1:a", ":", "5:saved", "05:saved"}) {
    CAPTURE(garbage);
    CHECK_THROWS_AS(static_cast<void>(detail::read_answer(garbage)), error);
  }
}
