// SPDX-License-Identifier: BSL-1.0
// core/function_ref.test.cpp: calls reach the callable itself, constant or not, with arguments and results of every kind.
#include <tidemark/core/function_ref.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

using tidemark::detail::function_ref;

namespace {

int call(function_ref<int(int)> f, int value) { return f(value); }

struct counter {
  int calls = 0;
  int operator()(int by) { return calls += by; }
  int operator()(int by) const { return -by; }
};

}  // namespace

TEST_CASE("a call reaches the callable itself, and no copy of it") {
  counter c;
  CHECK(call(c, 2) == 2);
  CHECK(call(c, 3) == 5);
  CHECK(c.calls == 5);
  CHECK(call(std::as_const(c), 3) == -3);
  CHECK(call([](int v) { return v * v; }, 7) == 49);
}

TEST_CASE("a copy refers to the same callable") {
  counter c;
  const function_ref<int(int)> first = c;
  const function_ref<int(int)> second = first;
  second(4);
  CHECK(first(1) == 5);
}

TEST_CASE("arguments and results are passed as the signature says: by reference, by value, moved") {
  std::string text = "a";
  const auto append = [](std::string& to, std::unique_ptr<int> n) -> std::string& { return to += std::to_string(*n); };
  const function_ref<std::string&(std::string&, std::unique_ptr<int>)> f = append;
  CHECK(&f(text, std::make_unique<int>(7)) == &text);
  CHECK(text == "a7");
}

TEST_CASE("an exception of the callable leaves the call") {
  const auto fail = [] { throw 5; };
  const function_ref<void()> f = fail;
  CHECK_THROWS_AS(f(), int);
}
