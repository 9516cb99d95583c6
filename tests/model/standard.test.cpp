// SPDX-License-Identifier: BSL-1.0
// model/standard.test.cpp: the standard's classes are recognised, and no stranger's that look like them.
#include <tidemark/model/standard.hpp>

#include <doctest/doctest.h>

#include <bitset>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <vector>

using namespace tidemark::detail;

namespace mine {

template <class T>
struct list : std::list<T> {};
struct path : std::filesystem::path {};
template <int...>
struct numbers {};
template <class T>
struct set : std::set<T> {};
struct deleter {
  void operator()(int*) const {}
};

}  // namespace mine

template <class T>
inline constexpr bool tidemark::as_sequence<mine::list<T>> = true;

namespace {

template <class... T>
constexpr bool are_sequences = (SequenceLike<T> && ...);
static_assert(are_sequences<std::vector<int>, std::vector<bool>, std::deque<int>, std::list<int>, std::forward_list<int>, std::valarray<int>, std::u16string>);
static_assert(are_sequences<mine::list<int>> && !(SequenceLike<std::span<int>> || SequenceLike<std::string_view> || SequenceLike<std::initializer_list<int>>));
static_assert(!(SequenceLike<std::set<int>> || SequenceLike<std::map<int, int>> || SequenceLike<std::filesystem::path> || SequenceLike<std::bitset<3>> || SequenceLike<int>));

template <class T, bool Map, bool IsUnordered, bool IsMultiple>
constexpr bool is_keyed = MapLike<T> == Map && SetLike<T> == !Map && Unordered<T> == IsUnordered && Multiple<T> == IsMultiple;
static_assert(is_keyed<std::map<int, int>, true, false, false> && is_keyed<std::multimap<int, int>, true, false, true>);
static_assert(is_keyed<std::set<int>, false, false, false> && is_keyed<std::multiset<int>, false, false, true>);
static_assert(is_keyed<std::unordered_map<int, int>, true, true, false> && is_keyed<std::unordered_multimap<int, int>, true, true, true>);
static_assert(is_keyed<std::unordered_set<int>, false, true, false> && is_keyed<std::unordered_multiset<int>, false, true, true>);
static_assert(!Keyed<std::vector<int>> && !Keyed<mine::set<int>> && !Keyed<int>);

static_assert(Bitset<std::bitset<9>> && !Bitset<std::vector<bool>>);
static_assert(UniquePointer<std::unique_ptr<int>> && !UniquePointer<std::unique_ptr<int[]>> && !UniquePointer<std::shared_ptr<int>>);
static_assert(!UniquePointer<std::unique_ptr<int, void (*)(int*)>> && !UniquePointer<std::unique_ptr<int, mine::deleter>>);
static_assert(Adaptor<std::stack<int>> && Adaptor<std::queue<int>> && Adaptor<std::priority_queue<int>> && !Adaptor<std::deque<int>>);
static_assert(StandardPath<std::filesystem::path> && !StandardPath<mine::path> && !StandardPath<std::string>);

}  // namespace

TEST_CASE("a class of namespace std is one by its name alone") {
  CHECK(is_standard<std::vector<mine::path>>());
  CHECK_FALSE(is_standard<mine::list<std::string>>());
}

// A name of 100,000 letters, too long to be read letter by letter.
template <int... I>
constexpr auto numbered(std::integer_sequence<int, I...>) -> mine::numbers<(1'000'000'000 + I)...>;
using long_name = decltype(numbered(std::make_integer_sequence<int, 8000>{}));

// A type that mentions one of namespace std is none: lambdas and local classes name the arguments of their functions.
template <class T>
auto lambda_in() { return [](T) {}; }
template <class T>
auto local_in() {
  struct local {
    T value;
  };
  return local{};
}

template <class... T>
constexpr bool all_without_name = (standard_name<T>().empty() && ...);

TEST_CASE("the name of a class of namespace std is told without its arguments, and of nothing else") {
  CHECK(standard_name<std::map<std::string, int>>() == "map");
  // How far a name is spelled out differs for these two: clang knows libc++'s string by its alias, libstdc++'s path lies in __cxx11.
  CHECK((standard_name<std::string>() == "basic_string" || standard_name<std::string>() == "string"));
  CHECK((standard_name<std::filesystem::path>() == "filesystem::path" || standard_name<std::filesystem::path>() == "filesystem::__cxx11::path"));
  CHECK(standard_name<std::chrono::seconds>() == "chrono::duration");
  CHECK(standard_name<std::condition_variable_any>() == "condition_variable_any");  // std::_V2::condition_variable_any in libstdc++
  CHECK(standard_name<std::map<int, std::string>::value_compare>().ends_with("::value_compare"));
  CHECK(standard_name<std::vector<long_name>>() == "vector");
  CHECK(all_without_name<decltype(lambda_in<std::deque<int>>()), decltype(local_in<std::deque<int>>()), mine::list<decltype(lambda_in<std::deque<int>>())>>);
  CHECK(all_without_name<mine::path, mine::list<std::string>, mine::set<std::string>, int, void, std::byte>);
  CHECK(all_without_name<std::string&, const std::string&, std::string&&, std::string*, std::string[2], std::string (*)(), std::string std::pair<int, std::string>::*>);

  CHECK(is_standard_named<std::deque<int>>("deque"));
  CHECK(is_standard_named<std::deque<int>>("list", "deque"));
  CHECK_FALSE(is_standard_named<std::deque<int>>("list", "deq", "deque<int>", "std::deque"));
  CHECK_FALSE(is_standard_named<mine::list<int>>("list"));
}
