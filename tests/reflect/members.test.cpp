// SPDX-License-Identifier: BSL-1.0
// tests/reflect/members.test.cpp: a member of any type is counted, typed, tied by address and named; floor reflect.
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <tidemark/reflect/members.hpp>

namespace reflect = tidemark::reflect;

namespace {

template <class T>
std::vector<std::string_view> names() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<std::string_view>{reflect::member_name<T, I>()...};
  }(std::make_index_sequence<reflect::member_count<T>()>{});
}

using expected_names = std::vector<std::string_view>;

// A type of any kind between two plain ones, so that whatever it takes too many or too few shows in the last.
template <class M>
struct between {
  int first;
  M kind;
  char last;
};

// `tie`, `for_each_member`, types, names and count agree on a `between<M>`.
template <class M>
void holds_between(between<M>& value) {
  using T = between<M>;
  static_assert(reflect::defect_of<T> == reflect::defect::none);
  static_assert(reflect::member_count<T>() == 3);
  static_assert(std::is_same_v<reflect::member_type<T, 0>, int>);
  static_assert(std::is_same_v<reflect::member_type<T, 1>, M>);
  static_assert(std::is_same_v<reflect::member_type<T, 2>, char>);
  static_assert(std::is_same_v<decltype(reflect::tie(value)), std::tuple<int&, M&, char&>>);
  static_assert(std::is_same_v<decltype(reflect::tie(std::as_const(value))), std::tuple<const int&, const M&, const char&>>);
  CHECK(std::addressof(std::get<0>(reflect::tie(value))) == std::addressof(value.first));
  CHECK(std::addressof(std::get<1>(reflect::tie(value))) == std::addressof(value.kind));
  CHECK(std::addressof(std::get<2>(reflect::tie(value))) == std::addressof(value.last));
  CHECK(std::addressof(std::get<1>(reflect::tie(std::as_const(value)))) == std::addressof(value.kind));
  std::vector<const volatile void*> seen;
  reflect::for_each_member(value, [&](auto& member, auto) { seen.push_back(std::addressof(member)); });
  CHECK(seen == std::vector<const volatile void*>{std::addressof(value.first), std::addressof(value.kind), std::addressof(value.last)});
  CHECK(names<T>() == expected_names{"first", "kind", "last"});
}

template <class M>
void holds() {
  between<M> value{};
  holds_between(value);
}

template <class... M>
void hold_between() {
  (holds<M>(), ...);
}

struct empty {};
struct point {
  int x, y;
};
struct move_only {
  std::unique_ptr<int> owned;
};
struct deep {
  between<between<point>> inner;
  std::vector<move_only> items;
};
enum class colour : unsigned char { red, green };
struct greedy {
  greedy() = default;
  template <class U>
  greedy(const U&) {}
};
struct greedier {
  greedier() = default;
  template <class U>
  greedier(U&&) {}
};
struct hides_its_address {
  int operator&() const { return 0; }
};
struct immovable {
  immovable() = default;
  immovable(immovable&&) = delete;
};
struct explicit_default {
  explicit explicit_default() {}
};
union either {
  int i;
  float f;
};
struct around_a_union {
  union {
    int i;
    float f;
  };
};
struct polymorphic {
  virtual ~polymorphic() = default;
  int i = 0;
};
struct derived_point : point {
  int z;
};
struct sealed final {
  int i;
};
class private_data {
 public:
  int get() const { return hidden_; }

 private:
  int hidden_ = 0;
};

struct counts_calls {
  std::size_t calls = 0;
  counts_calls() = default;
  counts_calls(const counts_calls&) = delete;
  template <class M>
  void operator()(const M&, std::size_t position) {
    CHECK(position == calls++);
  }
};

}  // namespace

TEST_CASE("a member may be of any scalar type") {
  hold_between<bool, char, char8_t, short, unsigned, long long, float, double, long double, colour, std::byte, int*, void*, int (*)(int), int point::*,
               std::nullptr_t>();
}

TEST_CASE("a member may be of any standard type") {
  hold_between<std::string, std::string_view, std::vector<float>, std::vector<bool>, std::vector<std::vector<int>>, std::list<int>, std::set<int>,
               std::map<std::string, int>, std::unordered_map<int, std::string>, std::array<int, 3>, std::array<std::array<point, 2>, 2>,
               std::array<int, 0>, std::pair<int, std::string>, std::tuple<int, double, char>, std::tuple<>, std::bitset<70>, std::complex<double>,
               std::chrono::nanoseconds, std::mt19937, std::normal_distribution<float>, std::hash<int>>();
  hold_between<std::optional<int>, std::optional<std::string>, std::optional<std::optional<point>>, std::variant<int, std::string>,
               std::variant<std::monostate, point>, std::any, std::function<int(int)>, std::shared_ptr<int>, std::unique_ptr<int>,
               std::unique_ptr<int[]>, std::vector<std::unique_ptr<int>>, std::optional<std::unique_ptr<int>>>();
}

TEST_CASE("a member may be immovable") {
  hold_between<std::mutex, std::atomic<int>, std::atomic<bool>, std::once_flag, immovable, std::array<std::mutex, 2>>();
}

TEST_CASE("a member may be of any class") {
  hold_between<empty, point, move_only, std::vector<move_only>, std::vector<std::vector<move_only>>, std::map<int, move_only>, deep, greedy, greedier,
               std::vector<greedy>, hides_its_address, either, around_a_union, polymorphic, derived_point, sealed, private_data>();
}

TEST_CASE("a C array is one member") {
  hold_between<int[1], int[3], int[2][3], int[2][3][4], char[512], char[1 << 20], point[4], empty[2], std::string[2], std::unique_ptr<int>[2],
               std::mutex[2], std::vector<move_only>[3], greedy[2], greedier[2], between<int[3]>[2], std::array<int, 2>[2], either[2],
               around_a_union[2]>();
}

TEST_CASE("const and mutable members keep their types") {
  struct mixed {
    const int fixed = 1;
    mutable int cache = 2;
    const std::string text = "three";
    const double grid[2][2] = {{1, 2}, {3, 4}};
  };
  mixed value;
  static_assert(std::is_same_v<decltype(reflect::tie(value)), std::tuple<const int&, int&, const std::string&, const double (&)[2][2]>>);
  static_assert(std::is_same_v<reflect::member_type<mixed, 0>, const int>);
  static_assert(std::is_same_v<reflect::member_type<mixed, 1>, int>);
  static_assert(std::is_same_v<reflect::member_type<mixed, 3>, const double[2][2]>);
  CHECK(&std::get<3>(reflect::tie(value)) == &value.grid);
  CHECK(names<mixed>() == expected_names{"fixed", "cache", "text", "grid"});
}

TEST_CASE("members without a default constructor are counted wherever they stand") {
  struct positive {
    explicit positive(int) {}
  };
  struct single {
    positive only;
  };
  struct initialized {
    int before[3];
    positive middle{3};
    int after[2];
    positive pair[2] = {positive{1}, positive{2}};
    double grid[2][3];
    std::string texts[2];
  };
  struct required {
    int before[3];
    char text[20];
    positive middle;
    int after[2];
    std::mutex lock;
    positive pair[2];
    double grid[2][3];
  };
  struct picky {
    explicit_default a;
    int b[2];
    explicit_default c[2];
    int d;
  };
  static_assert(reflect::member_count<single>() == 1);
  static_assert(reflect::member_count<initialized>() == 6);
  static_assert(reflect::member_count<required>() == 7);
  static_assert(reflect::member_count<picky>() == 4);
  CHECK(names<single>() == expected_names{"only"});
  CHECK(names<initialized>() == expected_names{"before", "middle", "after", "pair", "grid", "texts"});
  CHECK(names<required>() == expected_names{"before", "text", "middle", "after", "lock", "pair", "grid"});
  CHECK(names<picky>() == expected_names{"a", "b", "c", "d"});
  initialized value;
  CHECK(&std::get<3>(reflect::tie(value)) == &value.pair);
}

TEST_CASE("bases without members do not count") {
  struct tag {};
  struct other_tag {};
  struct unique {
    unique() = default;
    unique(const unique&) = delete;
  };
  struct one : tag {
    int a;
    std::string b;
  };
  struct two : tag, other_tag {
    int a;
    std::vector<move_only> b;
    int c[3];
  };
  struct uncopied : unique {
    int a;
    int b[2];
  };
  struct nothing : tag {};
  struct with_required : tag, other_tag {
    int a;
    immovable b;
    int& operator[](int) { return a; }
  };
  static_assert(reflect::member_count<one>() == 2);
  static_assert(reflect::member_count<two>() == 3);
  static_assert(reflect::member_count<uncopied>() == 2);
  static_assert(reflect::member_count<nothing>() == 0);
  static_assert(reflect::member_count<with_required>() == 2);
  CHECK(names<one>() == expected_names{"a", "b"});
  CHECK(names<two>() == expected_names{"a", "b", "c"});
  CHECK(names<uncopied>() == expected_names{"a", "b"});
  two value{};
  CHECK(&std::get<2>(reflect::tie(value)) == &value.c);
}

TEST_CASE("empty members are members, whatever room they take") {
  struct roomless {
    [[no_unique_address]] empty nothing;
    int value;
    [[no_unique_address]] std::tuple<> more;
  };
  roomless object{};
  CHECK(reflect::member_count<roomless>() == 3);
  CHECK(&std::get<1>(reflect::tie(object)) == &object.value);
  CHECK(names<roomless>() == expected_names{"nothing", "value", "more"});
  CHECK(reflect::member_count<empty>() == 0);
  CHECK(names<empty>().empty());
}

TEST_CASE("reflection works in constant expressions and copies nothing") {
  constexpr auto sum = [] {
    between<point> value{1, {2, 3}, 'a'};
    std::get<1>(reflect::tie(value)).x = 40;
    int total = 0;
    reflect::for_each_member(value, [&](auto& member, auto) {
      if constexpr (std::is_same_v<decltype(member), point&>) total += member.x + member.y;
      else total += member;
    });
    return total;
  };
  static_assert(sum() == 1 + 40 + 3 + 'a');
  deep value{};
  std::get<1>(reflect::tie(value)).resize(2);
  CHECK(value.items.size() == 2);
}

TEST_CASE("a visitor is called in place, in order, with what it was given") {
  const between<point> value{1, {2, 3}, 'a'};
  counts_calls visitor;
  reflect::for_each_member(value, visitor);
  CHECK(visitor.calls == 3);
}
