// SPDX-License-Identifier: BSL-1.0
// archive/std_samples.hpp: random values of the standard's other classes, of listed classes and of C arrays, beside those of samples.hpp.
#ifndef TIDEMARK_TESTS_ARCHIVE_STD_SAMPLES_HPP
#define TIDEMARK_TESTS_ARCHIVE_STD_SAMPLES_HPP

#include <atomic>
#include <bitset>
#include <complex>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <list>
#include <memory>
#include <queue>
#include <set>
#include <stack>
#include <unordered_map>
#include <unordered_set>
#include <valarray>

#include "samples.hpp"

namespace samples {

__extension__ typedef __int128 wide;

struct tree {
  int value = 0;
  std::vector<tree> children;
  std::map<std::string, tree> named;
  // Not defaulted: clang then asks, before the class is complete, whether a tree has a default constructor, and remembers that it has none.
  friend bool operator==(const tree& a, const tree& b) { return a.value == b.value && a.children == b.children && a.named == b.named; }
};
class listed : public record<float> {
  short grid_[2][3]{};
  std::string text_;

 public:
  static constexpr auto checkpoint_members = tidemark::members(&listed::grid_, tidemark::member("name", &listed::text_), tidemark::base<record<float>>);
  friend bool operator==(const listed&, const listed&) = default;
  friend void fill(listed& v, random& r) {
    for (auto& line : v.grid_) {
      for (auto& e : line) e = static_cast<short>(r());
    }
    fill(v.text_, r);
    fill(static_cast<record<float>&>(v), r);
  }
};
/// As in any class whose only constructor has a default argument and is explicit: its owner is no longer made from {}.
class explicitly_made {
  int value_;

 public:
  explicit explicitly_made(int value = 1) : value_(value) {}
  static constexpr auto checkpoint_members = tidemark::members(&explicitly_made::value_);
  friend bool operator==(const explicitly_made&, const explicitly_made&) = default;
};
struct of_explicit {
  explicitly_made one;
  std::string after;
  std::optional<explicitly_made> best;
  std::variant<std::monostate, record<explicitly_made>> last;
  friend bool operator==(const of_explicit&, const of_explicit&) = default;
};
/// Its address is had by std::addressof only.
struct unaddressable {
  int value = 0;
  std::string text;
  void operator&() const = delete;
  friend bool operator==(const unaddressable& a, const unaddressable& b) { return a.value == b.value && a.text == b.text; }
  friend auto operator<=>(const unaddressable& a, const unaddressable& b) { return std::pair(a.value, a.text) <=> std::pair(b.value, b.text); }
};
struct of_unaddressable {
  unaddressable one;
  std::list<unaddressable> list;
  std::set<unaddressable> set;
  std::map<unaddressable, unaddressable> map;
  std::optional<unaddressable> best;
  std::variant<unaddressable, int> choice;
  std::tuple<unaddressable> tuple;
  std::map<std::string, record<unaddressable>> named;
  friend bool operator==(const of_unaddressable& a, const of_unaddressable& b) {
    return a.one == b.one && a.list == b.list && a.set == b.set && a.map == b.map && a.best == b.best && a.choice == b.choice && a.tuple == b.tuple && a.named == b.named;
  }
};
struct c_arrays {
  int one[3]{};
  double two[2][2]{};
  row rows[2]{};
  char name[16]{};
  friend bool operator==(const c_arrays&, const c_arrays&) = default;
};

inline void fill(wide& v, random& r) { v = (static_cast<wide>(static_cast<int>(r())) << 64) + static_cast<wide>(r()); }
inline void fill(std::byte& v, random& r) { v = static_cast<std::byte>(r()); }
template <class T> void fill(std::complex<T>& v, random& r) { v = {static_cast<T>(r() % 100), static_cast<T>(r() % 100)}; }
template <class T> void fill(std::atomic<T>& v, random& r) {
  T value{};
  fill(value, r);
  v = value;
}
template <class T> void fill(std::deque<T>& v, random& r);
template <class T> void fill(std::list<T>& v, random& r);
template <class T> void fill(std::forward_list<T>& v, random& r);
template <class T> void fill(std::unique_ptr<T>& v, random& r);
inline void fill(tree& v, random& r) {
  static int depth = 0;
  v = {};
  v.value = static_cast<int>(r() % 50);
  if (++depth < 4) {
    fill(v.children, r);
    if (few(r) == 0) fill(v.named["a"], r);
  }
  --depth;
}
inline void fill(of_explicit& v, random& r) {
  v.one = explicitly_made(static_cast<int>(r()));
  fill(v.after, r);
  v.best.reset();
  if (r() % 3 != 0) v.best.emplace(static_cast<int>(r()));
  v.last = std::monostate();
  if (r() % 3 != 0) v.last.emplace<1>().value = explicitly_made(static_cast<int>(r()));
}
inline void fill(unaddressable& v, random& r) {
  v.value = static_cast<int>(r());
  fill(v.text, r);
}
inline void fill(of_unaddressable& v, random& r) {
  v = {};
  fill(v.one, r);
  for (auto n = few(r); n-- > 0;) {
    unaddressable e;
    fill(e, r);
    v.list.push_back(e);
    v.set.insert(e);
    v.map.emplace(e, v.one);
    v.named[std::to_string(n)].value = e;
    v.best = e;
    v.choice = e;
    std::get<0>(v.tuple) = e;
  }
}
inline void fill(c_arrays& v, random& r) {
  for (int& e : v.one) fill(e, r);
  for (auto& line : v.two) {
    for (double& e : line) fill(e, r);
  }
  for (row& e : v.rows) fill(e, r);
  v.name[3] = static_cast<char>(r());
}
inline void fill(std::u16string& v, random& r) { v.assign(few(r), static_cast<char16_t>(r())); }
inline void fill(std::filesystem::path& v, random& r) { v = std::filesystem::path("a") / std::to_string(r()); }
template <std::size_t N> void fill(std::bitset<N>& v, random& r) { v = r(); }
template <class T> void fill(std::valarray<T>& v, random& r) {
  v.resize(few(r));
  for (auto& e : v) fill(e, r);
}
template <class C> void fill_list(C& v, random& r) {
  v.clear();
  for (auto n = few(r); n-- > 0;) {
    typename C::value_type e{};
    fill(e, r);
    v.push_front(std::move(e));
  }
}
template <class T> void fill(std::deque<T>& v, random& r) { fill_list(v, r); }
template <class T> void fill(std::list<T>& v, random& r) { fill_list(v, r); }
template <class T> void fill(std::forward_list<T>& v, random& r) { fill_list(v, r); }
template <class C> void fill_keyed(C& v, random& r) {
  v.clear();
  for (auto n = 3 * few(r); n-- > 0;) {
    typename C::key_type key{};
    fill(key, r);
    if constexpr (requires { typename C::mapped_type; }) {
      typename C::mapped_type value{};
      fill(value, r);
      v.emplace(std::move(key), std::move(value));
    } else {
      v.insert(std::move(key));
    }
  }
}
template <class K> void fill(std::set<K>& v, random& r) { fill_keyed(v, r); }
template <class K> void fill(std::multiset<K>& v, random& r) { fill_keyed(v, r); }
template <class K> void fill(std::unordered_set<K>& v, random& r) { fill_keyed(v, r); }
template <class K> void fill(std::unordered_multiset<K>& v, random& r) { fill_keyed(v, r); }
template <class K, class V> void fill(std::multimap<K, V>& v, random& r) { fill_keyed(v, r); }
template <class K, class V> void fill(std::unordered_map<K, V>& v, random& r) { fill_keyed(v, r); }
template <class K, class V> void fill(std::unordered_multimap<K, V>& v, random& r) { fill_keyed(v, r); }
template <class A> void fill_adaptor(A& v, random& r) {
  v = A{};
  for (auto n = few(r); n-- > 0;) {
    typename A::value_type e{};
    fill(e, r);
    v.push(std::move(e));
  }
}
template <class T> void fill(std::stack<T>& v, random& r) { fill_adaptor(v, r); }
template <class T> void fill(std::queue<T>& v, random& r) { fill_adaptor(v, r); }
template <class T> void fill(std::priority_queue<T>& v, random& r) { fill_adaptor(v, r); }
template <class T> void fill(std::unique_ptr<T>& v, random& r) {
  v.reset();
  if (r() % 3 != 0) fill(*(v = std::make_unique<T>()), r);
}

/// The same in value and in order, whatever operators the class has.
template <class T>
bool is_same(const T& a, const T& b) {
  if constexpr (requires { a.max_load_factor(); }) {
    return a.bucket_count() == b.bucket_count() && a.max_load_factor() == b.max_load_factor() && std::equal(a.begin(), a.end(), b.begin(), b.end());
  } else if constexpr (requires { a.cshift(1); }) {
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
  } else if constexpr (requires { a.release; } || requires { typename T::deleter_type; }) {
    return bool(a) == bool(b) && (!a || is_same(*a, *b));
  } else if constexpr (requires { a.load(); }) {
    return a.load() == b.load();
  } else if constexpr (requires { typename T::container_type; }) {
    return tidemark::detail::representation<T>::snapshot(a) == tidemark::detail::representation<T>::snapshot(b);
  } else {
    return a == b;
  }
}

/// Calls `f.template operator()<T>()` for each of these types.
template <class F>
void for_each_std_type(F f) {
  f.template operator()<wide>();
  f.template operator()<std::byte>();
  f.template operator()<std::complex<float>>();
  f.template operator()<std::complex<double>>();
  f.template operator()<std::complex<long double>>();
  f.template operator()<std::atomic<int>>();
  f.template operator()<std::u16string>();
  f.template operator()<std::filesystem::path>();
  f.template operator()<std::bitset<11>>();
  f.template operator()<std::valarray<double>>();
  f.template operator()<std::deque<bool>>();
  f.template operator()<std::deque<row>>();
  f.template operator()<std::list<std::string>>();
  f.template operator()<std::list<module_>>();
  f.template operator()<std::forward_list<int>>();
  f.template operator()<std::set<int>>();
  f.template operator()<std::set<std::string>>();
  f.template operator()<std::multiset<int>>();
  f.template operator()<std::unordered_set<int>>();
  f.template operator()<std::unordered_multiset<int>>();
  f.template operator()<std::multimap<int, module_>>();
  f.template operator()<std::multimap<std::string, row>>();
  f.template operator()<std::unordered_map<int, std::string>>();
  f.template operator()<std::unordered_map<std::string, module_>>();
  f.template operator()<std::unordered_multimap<int, int>>();
  f.template operator()<std::unique_ptr<row>>();
  f.template operator()<std::unique_ptr<module_>>();
  f.template operator()<std::stack<int>>();
  f.template operator()<std::queue<std::string>>();
  f.template operator()<std::priority_queue<int>>();
  f.template operator()<tree>();
  f.template operator()<listed>();
  f.template operator()<c_arrays>();
  f.template operator()<of_explicit>();
  f.template operator()<of_unaddressable>();
}

/// Everything that can be moved, inside what holds it by column and one by one.
template <class T>
struct held_everywhere {
  T alone = T();
  std::vector<T> many;
  std::array<T, 2> two = std::array<T, 2>();
  std::map<std::string, T> named;
  std::vector<std::vector<T>> table;
  int after = 0;
};
template <class T> void fill(held_everywhere<T>& v, random& r) {
  fill(v.alone, r);
  v.many.resize(few(r));
  for (T& e : v.many) fill(e, r);
  for (T& e : v.two) fill(e, r);
  v.named.clear();
  for (auto n = few(r); n-- > 0;) fill(v.named[std::to_string(n) + ".x"], r);
  v.table.clear();
  v.table.resize(few(r));
  for (auto& line : v.table) {
    line.resize(few(r));
    for (T& e : line) fill(e, r);
  }
  v.after = static_cast<int>(r());
}
template <class T> bool is_same(const held_everywhere<T>& a, const held_everywhere<T>& b) {
  const auto all = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const T& s, const T& t) { return is_same(s, t); }); };
  return is_same(a.alone, b.alone) && all(a.many, b.many) && all(a.two, b.two) && a.after == b.after &&
         std::equal(a.named.begin(), a.named.end(), b.named.begin(), b.named.end(), [](const auto& x, const auto& y) { return x.first == y.first && is_same(x.second, y.second); }) &&
         std::equal(a.table.begin(), a.table.end(), b.table.begin(), b.table.end(), all);
}
/// What cannot be moved: alone in a record.
template <class T>
struct held_alone {
  T alone{};
  T two[2]{};
  int after = 0;
};
template <class T> void fill(held_alone<T>& v, random& r) {
  fill(v.alone, r);
  for (T& e : v.two) fill(e, r);
  v.after = static_cast<int>(r());
}
template <class T> bool is_same(const held_alone<T>& a, const held_alone<T>& b) { return is_same(a.alone, b.alone) && is_same(a.two[1], b.two[1]) && a.after == b.after; }

template <class T>
using held = std::conditional_t<std::is_move_constructible_v<T>, held_everywhere<T>, held_alone<T>>;

}  // namespace samples
#endif
