// SPDX-License-Identifier: BSL-1.0
// model/checkpointable.test.cpp: what is state and what is not, through every member.
#include <tidemark/model/checkpointable.hpp>

#include <doctest/doctest.h>

#include <any>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <thread>
#include <unordered_map>

using tidemark::Checkpointable;

namespace {

enum class mode : std::uint8_t { a };
struct empty {};
struct leaf {
  int a = 0;
  std::string b;
};
struct nested {
  leaf one;
  std::vector<leaf> many;
  std::map<std::string, std::vector<leaf>> named;
  std::optional<std::variant<int, leaf>> maybe;
  std::array<std::tuple<bool, std::pair<char, double>>, 3> table;
};
struct move_only {
  std::vector<leaf> a;
};
class closed {
  int secret_ = 0;

 public:
  int secret() const { return secret_; }
};
class open_closed {
 public:
  leaf snapshot() const { return {}; }
  void restore(leaf) {}
};
class half_closed {
 public:
  closed snapshot() const { return {}; }
  void restore(closed) {}
};
struct holds_pointer {
  int ok;
  struct {
    std::vector<std::map<int, int*>> deep;
  } inner;
};
struct holds_reference {
  int& r;
};
struct holds_const {
  const int c = 3;
};
struct tree {
  int value;
  std::vector<tree> children;
};
struct no_default {
  explicit no_default(int) {}
  int snapshot() const { return 0; }
  void restore(int) {}
};
struct snapshot_without_default {
  no_default snapshot() const { return no_default{1}; }
  void restore(no_default) {}
};
struct forgot_const {
  int x, cache;
  int snapshot() { return x; }
  void restore(int v) { x = v; }
};
struct member_called_restore {
  int snapshots;
  bool restore;
};
struct stateful_less {
  bool is_up = true;
  bool operator()(int a, int b) const { return is_up ? a < b : b < a; }
};
union either {
  int i;
  float f;
};
struct derived : leaf {
  int c;
};
#if !defined(__clang__) || __clang_major__ >= 16  // an older clang stops at a bit-field itself
struct with_bits {
  int a : 3, b : 5;
};
#else
using with_bits = closed;
#endif

template <class... T>
constexpr bool all = (Checkpointable<T> && ...);
template <class... T>
constexpr bool none = !(Checkpointable<T> || ...);

static_assert(all<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long,
                  float, double, long double, char8_t, char16_t, char32_t, mode>);
static_assert(all<std::string, std::vector<float>, std::vector<bool>, std::vector<std::string>, std::vector<std::vector<std::vector<int>>>,
                  std::array<int, 4>, std::array<std::string, 0>, std::map<std::string, int>, std::map<int, std::map<int, leaf>>,
                  std::pair<int, std::string>, std::tuple<>, std::tuple<int, leaf>, std::optional<leaf>, std::optional<std::optional<int>>,
                  std::variant<int, std::string>, std::variant<std::monostate, leaf>>);
static_assert(all<std::chrono::seconds, std::chrono::duration<float>, std::chrono::system_clock::time_point>);
static_assert(all<empty, leaf, nested, move_only, open_closed, tree, int[3], leaf[2], std::unique_ptr<tree>>);

static_assert(none<int*, const char*, void*, std::nullptr_t, int&, const int, volatile int, int* [3], int(), int (*)(), int leaf::*, wchar_t, void, either>);
static_assert(none<std::unique_ptr<int[]>, std::shared_ptr<int>, std::weak_ptr<int>, std::string_view, std::span<int>, std::any, std::function<void()>,
                   std::mutex, std::thread, std::atomic<int*>, std::random_device, std::reference_wrapper<int>>);
static_assert(none<std::deque<int*>, std::list<std::string_view>, std::set<closed>, std::unordered_map<int, closed>, std::wstring>);
static_assert(none<std::chrono::steady_clock::time_point, closed, half_closed, derived, with_bits>);
static_assert(all<holds_const> && none<std::vector<holds_const>, std::optional<holds_const>>);
static_assert(none<holds_pointer, holds_reference, std::vector<int*>, std::optional<std::unique_ptr<int*>>, std::map<int, closed>,
                   std::map<closed, int>, std::tuple<int, int*>, std::variant<int, int*>, std::array<std::mutex, 2>>);
static_assert(none<forgot_const> && all<member_called_restore>);
static_assert(none<no_default, snapshot_without_default, std::vector<no_default>, std::optional<no_default>, std::map<int, no_default>>);
static_assert(none<std::map<int, int, stateful_less>> && all<std::map<int, int, std::greater<int>>>);

// Asking is no commitment: the concept serves in overloads.
template <class T>
struct is_state : std::false_type {};
template <Checkpointable T>
struct is_state<T> : std::true_type {};
static_assert(is_state<leaf>::value && !is_state<closed>::value);

}  // namespace

TEST_CASE("a type may be local, nested or nameless") {
  struct local {
    int a;
    struct {
      float b;
    } inner;
  };
  CHECK(Checkpointable<local>);
  CHECK(Checkpointable<std::vector<local>>);
}
