// SPDX-License-Identifier: BSL-1.0
// reflect/anything.test.cpp: placeholders become any value, any lvalue, a base, a nameless union, and nothing else.
#include <tidemark/reflect/anything.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <mutex>
#include <string>

using namespace tidemark::reflect::detail;

namespace {

struct empty {};
struct full {
  int x;
};
struct derived : empty, full {};
struct holder {
  union {
    int i;
    float f;
  } nameless;
};
union named {
  int i;
};

template <class From, class To>
constexpr bool becomes = requires(void (*f)(To)) { f(From()); };

static_assert(becomes<any_value, int> && becomes<any_value, std::string> && becomes<any_value, std::unique_ptr<int>> && becomes<any_value, std::mutex>);
static_assert(becomes<any_lvalue, int&> && !becomes<any_value, int&>);
static_assert(becomes<any_base<derived>, empty> && becomes<any_base<derived>, full> && !becomes<any_base<derived>, derived> && !becomes<any_base<derived>, int>);
static_assert(becomes<any_base_with_data<derived>, full> && !becomes<any_base_with_data<derived>, empty>);
static_assert(is_unnamed_union<decltype(holder::nameless)>() && !is_unnamed_union<named>() && !is_unnamed_union<int>());

struct greedy {
  greedy() = default;
  template <class U>
  greedy(const U&) {}  // NOLINT
};
struct with_greedy {
  greedy a;
  int b;
};
template <class T, class... Values>
constexpr bool is_initialized_by = requires { T{Values()...}; };

}  // namespace

TEST_CASE("a greedy constructor is no better match than the placeholder's own conversion") {
  CHECK(is_initialized_by<with_greedy, any_value, any_value>);
  CHECK_FALSE(is_initialized_by<with_greedy, any_value, any_value, any_value>);
}
