// SPDX-License-Identifier: BSL-1.0
// model/verdict.test.cpp: the first offender and the reason.
#include <tidemark/model/verdict.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <bitset>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

using namespace tidemark::detail;

namespace {

struct inner {
  int fine;
  std::map<int, std::vector<int*>> bad;
};
struct outer {
  int a, b;
  inner c;
};
class closed {
  int x_ = 0;

 public:
  int x() const { return x_; }
};
struct tree {
  std::vector<tree> children;
};
struct around_pointer {
  std::vector<around_pointer> children;
  int* p;
};
struct turns {  // a class that represents itself by a value with it inside
  struct state {
    std::vector<turns> inner;
  };
  state snapshot() const;
  void restore(state);
};
struct itself {
  itself snapshot() const;
  void restore(itself);
};
class listed {
  int* p_ = nullptr;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&listed::p_);
};
class listed_twice {
  int x_ = 0;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&listed_twice::x_);
  int snapshot() const { return x_; }
  void restore(int x) { x_ = x; }
};
struct shape {
  virtual ~shape() = default;
};
struct greedy_member {
  struct anything {
    template <class T>
    anything(const T&) {}  // NOLINT
  };
  anything a, b;
};
struct base {
  int b;
};
struct derived : base {};
struct less {
  int sign;
  bool operator()(int a, int b) const { return sign * a < sign * b; }
};
union either {
  int a;
};
#if !defined(__clang__) || __clang_major__ >= 16  // an older clang stops at a bit-field itself
struct bits {
  int a : 1;
};
static_assert(verdict_of<bits>.reason == refusal::bit_field);
#endif
struct twice {
  int snapshot() const { return 0; }
  void restore(int) {}
};
struct no_default {
  no_default(int);  // NOLINT
  int snapshot() const;
  void restore(int);
};

}  // namespace
template <>
struct tidemark::represent<twice> {
  static std::string name() { return "twice"; }
  static int snapshot(const twice&) { return 0; }
  static void restore(twice&, int&&) {}
};
namespace {

struct by_value {
  bool operator()(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) const { return *a < *b; }
};

class of_ones_own {
 public:
  using result_type = double;
  struct param_type {};
  void reset();

 private:
  double mean_ = 0;
};

constexpr refusal reason(verdict v) { return v.reason; }
template <class T>
constexpr refusal why = reason(verdict_of<T>);

static_assert(why<int> == refusal::none && why<std::vector<std::string>> == refusal::none);
static_assert(why<int*> == refusal::pointer && why<int&> == refusal::reference && why<int[2]> == refusal::none && why<int* [2]> == refusal::pointer && why<const int> == refusal::constant);
static_assert(why<void()> == refusal::function && why<void (*)()> == refusal::function && why<either> == refusal::union_);
static_assert(why<wchar_t> == refusal::wide_character && why<std::chrono::steady_clock::time_point> == refusal::steady_clock);
static_assert(why<std::unique_ptr<int>> == refusal::none && why<std::unique_ptr<int[]>> == refusal::owning_pointer && why<std::shared_ptr<int>> == refusal::shared_pointer && why<std::unique_ptr<shape>> == refusal::owning_pointer);
static_assert(why<std::string_view> == refusal::view && why<closed> == refusal::unknown_class && why<tree> == refusal::none && why<around_pointer> == refusal::pointer && why<turns> == refusal::none && why<itself> == refusal::recursive);
static_assert(why<std::ranlux24> == refusal::standard_random && why<std::knuth_b> == refusal::standard_random && why<std::independent_bits_engine<std::minstd_rand, 8, unsigned>> == refusal::standard_random);
static_assert(why<std::poisson_distribution<int>> == refusal::standard_random && why<std::random_device> == refusal::random_device && why<of_ones_own> == refusal::unknown_class);
static_assert(why<std::condition_variable_any> == refusal::lock && why<std::shared_lock<std::shared_mutex>> == refusal::lock && why<std::scoped_lock<std::mutex>> == refusal::lock && why<std::shared_future<int>> == refusal::thread);
static_assert(why<listed> == refusal::pointer && why<listed_twice> == refusal::two_ways);
static_assert(why<std::atomic<int>> == refusal::none && why<std::atomic<tree*>> == refusal::atomic && why<std::vector<std::atomic<int>>> == refusal::not_default_constructible);
static_assert(why<derived> == refusal::base && why<twice> == refusal::two_ways);
static_assert(why<std::vector<no_default>> == refusal::not_default_constructible);
static_assert(why<std::map<int, int, less>> == refusal::stateful_container);
using owner = std::unique_ptr<int>;
static_assert(why<std::set<owner>> == refusal::address_key && why<std::multimap<owner, int>> == refusal::address_key && why<std::unordered_set<owner>> == refusal::address_key &&
              why<std::priority_queue<owner>> == refusal::address_key && why<std::set<owner, std::greater<>>> == refusal::address_key && why<std::set<std::pair<int, owner>>> == refusal::address_key &&
              why<std::map<std::optional<std::tuple<int, owner>>, int>> == refusal::address_key);
static_assert(why<std::set<owner, by_value>> == refusal::none && why<std::priority_queue<owner, std::vector<owner>, by_value>> == refusal::none && why<std::map<int, owner>> == refusal::none);
static_assert(why<greedy_member> != refusal::none);

struct fixed { const int a = 1; };
struct holds_fixed { fixed one; std::tuple<int, fixed> two; };
template <class T>
struct around { T value; };
struct plain { int a; std::string b; std::pair<int, std::vector<float>> c; double d[2][3]; };
static_assert(why<fixed> == refusal::none && why<holds_fixed> == refusal::none && why<std::pair<int, fixed>> == refusal::none && why<around<const plain>> == refusal::none);
static_assert(why<around<const std::vector<bool>>> == refusal::none && why<around<const std::bitset<9>>> == refusal::none && why<around<const int[2][3]>> == refusal::none && why<around<const std::atomic<int>>> == refusal::none);
static_assert(why<std::vector<fixed>> == refusal::constant && why<std::array<fixed, 2>> == refusal::constant && why<fixed[2]> == refusal::constant && why<std::optional<fixed>> == refusal::constant);
static_assert(why<std::variant<int, fixed>> == refusal::constant && why<std::map<std::string, holds_fixed>> == refusal::constant && why<around<const fixed>> == refusal::constant && why<around<const std::tuple<int, fixed>>> == refusal::constant);
static_assert(why<std::pair<const int, int>> == refusal::constant && why<around<volatile int>> == refusal::constant && why<around<const volatile int>> == refusal::constant);
static_assert(why<around<const std::optional<int>>> == refusal::incomparable && why<around<const std::map<int, int>>> == refusal::incomparable && why<around<const std::vector<std::string>>> == refusal::incomparable);
static_assert(why<around<const std::queue<int>>> == refusal::incomparable && why<around<const tree>> == refusal::incomparable && why<around<const std::pair<int, std::set<int>>>> == refusal::incomparable);
static_assert(why<around<const int*>> == refusal::pointer && why<around<int* const>> == refusal::pointer && why<around<const std::vector<int*>>> == refusal::pointer && why<around<const no_default>> == refusal::not_default_constructible);

}  // namespace

TEST_CASE("a verdict leads to the offender") {
  const verdict v = verdict_of<outer>;
  CHECK(v.reason == refusal::pointer);
  REQUIRE(v.depth == 4);
  CHECK(v.steps[0] == 2);  // outer.c
  CHECK(v.steps[1] == 1);  // inner.bad
  CHECK(v.steps[2] == 1);  // the map's values
  CHECK(v.steps[3] == 0);  // the vector's elements
}
