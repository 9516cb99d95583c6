// SPDX-License-Identifier: BSL-1.0
// core/error.test.cpp: what an error says.
#include <tidemark/core/error.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace tidemark;

TEST_CASE("an error names the action, the file, the tensor, what was expected and found, and what to do") {
  const error e({.code = errc::corrupt, .action = "load", .file = "run/last.safetensors", .tensor = "optimizer.m", .problem = "its shape differs",
                 .expected = "F32 [3]", .found = "F32 [4]", .advice = "Take an older checkpoint.", .system = 5});
  CHECK(std::string(e.what()) ==
        "tidemark: cannot load run/last.safetensors: tensor \"optimizer.m\": its shape differs; expected F32 [3], found F32 [4].\n"
        "  Take an older checkpoint.");
  CHECK(e.code() == errc::corrupt);
  CHECK(e.file() == "run/last.safetensors");
  CHECK(e.tensor() == "optimizer.m");
  CHECK(e.expected() == "F32 [3]");
  CHECK(e.found() == "F32 [4]");
  CHECK(e.system() == 5);
}

TEST_CASE("parts that are not known leave no trace in the message") {
  CHECK(std::string(error({.problem = "the disk is full"}).what()) == "tidemark: the disk is full.");
  CHECK(std::string(error({.file = "a", .problem = "it is empty"}).what()) == "tidemark: a: it is empty.");
  CHECK(std::string(error({.action = "save", .problem = "no", .found = "x"}).what()) == "tidemark: cannot save: no; found x.");
  CHECK(std::string(error({.problem = "these differ:\n  a\n", .advice = "Look."}).what()) == "tidemark: these differ:\n  a\n  Look.");
}

TEST_CASE("text from a file reaches the message without control characters and without end") {
  const std::string hostile = std::string("a\x1b[2J\n\0", 7) + std::string(100'000, 'x');
  const error e({.tensor = hostile, .problem = "it is damaged", .expected = hostile, .found = hostile});
  const std::string_view text = e.what();
  CHECK(text.size() < 1200);
  CHECK(text.find_first_of(std::string_view("\x1b\n\0", 3)) == std::string_view::npos);
  CHECK(text.find("a\\x1b[2J\\x0a\\x00") != std::string_view::npos);
  CHECK(e.tensor() == hostile);
}

TEST_CASE("every code has a name of its own") {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(errc::cancelled); ++code) names.emplace(name_of(static_cast<errc>(code)));
  CHECK(names.size() == static_cast<std::size_t>(errc::cancelled) + 1);
  CHECK(names.count("unknown") == 0);
}

TEST_CASE("what passes an error on adds what it knows; values and other exceptions pass as they are") {
  const auto name_file = [](error_details& details) { details.file = "run/last.safetensors"; };
  try {
    detail::amending([]() -> int { throw error({.code = errc::no_space, .problem = "the disk is full", .system = 28}); }, name_file);
    FAIL("passed");
  } catch (const error& e) {
    CHECK(e.code() == errc::no_space);
    CHECK(e.system() == 28);
    CHECK(std::string(e.what()) == "tidemark: run/last.safetensors: the disk is full.");
  }
  CHECK_THROWS_AS(detail::amending([] { throw 7; }, name_file), int);
  static int here = 1;
  detail::amending([]() -> int& { return here; }, name_file) = 2;
  CHECK(here == 2);
}
