// SPDX-License-Identifier: BSL-1.0
// archive/samples.hpp: types of every kind and shape, with random values, for the round trips.
#ifndef TIDEMARK_TESTS_ARCHIVE_SAMPLES_HPP
#define TIDEMARK_TESTS_ARCHIVE_SAMPLES_HPP

#include <tidemark/model/schema_of.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace samples {

enum class mode : std::uint8_t { a, b, c };
struct empty {
  friend bool operator==(const empty&, const empty&) = default;
};
struct row {
  std::uint32_t id = 1;
  double weight = 2;
  std::string name = "n";
  std::optional<float> best;
  std::array<std::int16_t, 3> place{};
  friend bool operator==(const row&, const row&) = default;
};
struct module_ {
  std::vector<float> weight;
  std::vector<std::array<double, 2>> table;
  row info;
  friend bool operator==(const module_&, const module_&) = default;
};
/// A class with invariants: at most 100.
class gauge {
 public:
  static constexpr std::string_view checkpoint_name = "gauge";
  struct state {
    int level = 0;
    std::array<std::uint8_t, 2> marks{};
  };
  state snapshot() const { return {level, {7, 8}}; }
  void restore(state s) {
    if (s.level > 100 || s.level < 0 || s.marks != snapshot().marks) throw tidemark::error({.code = tidemark::errc::invalid_value, .problem = "the level is out of range"});
    level = s.level;
  }
  int level = 0;
  friend bool operator==(const gauge&, const gauge&) = default;
};
/// A key that is a class of its own, represented by text.
class title {
 public:
  std::string snapshot() const { return text; }
  void restore(std::string s) { text = std::move(s); }
  std::string text;
  friend bool operator==(const title&, const title&) = default;  // nvcc 13 does not make it from the next
  friend auto operator<=>(const title&, const title&) = default;
};
template <class T>
struct tagged {
  static constexpr std::string_view checkpoint_name = "tagged";
  T value = T();
  friend bool operator==(const tagged&, const tagged&) = default;
};
template <class T>
struct record {
  T value = T();
  int after = 0;
  friend bool operator==(const record&, const record&) = default;
};

using random = std::mt19937;

inline std::size_t few(random& r) { return r() % 4; }

template <class T>
  requires(std::is_arithmetic_v<T>)
void fill(T& v, random& r) {
  if constexpr (std::is_same_v<T, bool>) v = r() % 2 != 0;
  else v = static_cast<T>(static_cast<int>(r() % 100));
}
inline void fill(mode& v, random& r) { v = static_cast<mode>(r() % 3); }
inline void fill(empty&, random&) {}
inline void fill(std::monostate&, random&) {}
inline void fill(std::chrono::milliseconds& v, random& r) { v = std::chrono::milliseconds(r()); }
inline void fill(std::string& v, random& r) {
  v.clear();
  for (auto n = few(r); n-- > 0;) v += static_cast<char>(r() % 256);
}
inline void fill(gauge& v, random& r) { v.level = static_cast<int>(r() % 101); }
inline void fill(title& v, random& r) { fill(v.text, r); }
inline void fill(row& v, random& r);
inline void fill(module_& v, random& r);
template <class T> void fill(tagged<T>& v, random& r);
template <class T> void fill(record<T>& v, random& r);
template <class T> void fill(std::optional<T>& v, random& r);
template <class A, class B> void fill(std::pair<A, B>& v, random& r);
template <class... T> void fill(std::tuple<T...>& v, random& r);
template <class... T> void fill(std::variant<T...>& v, random& r);
template <class K, class V> void fill(std::map<K, V>& v, random& r);
template <class T, std::size_t N> void fill(std::array<T, N>& v, random& r);
template <class T> void fill(std::vector<T>& v, random& r);

inline void fill(std::vector<bool>& v, random& r) {
  v.clear();
  for (auto n = few(r); n-- > 0;) v.push_back(r() % 2 != 0);
}
template <class T> void fill(std::vector<T>& v, random& r) {
  v.clear();
  for (auto n = few(r); n-- > 0;) fill(v.emplace_back(), r);
}
template <class T, std::size_t N> void fill(std::array<T, N>& v, random& r) {
  for (auto& e : v) fill(e, r);
}
template <class K, class V> void fill(std::map<K, V>& v, random& r) {
  v.clear();
  for (auto n = few(r); n-- > 0;) {
    K key{};
    fill(key, r);
    fill(v[key], r);
  }
}
template <class T> void fill(std::optional<T>& v, random& r) {
  v.reset();
  if (r() % 3 != 0) fill(v.emplace(), r);
}
template <class A, class B> void fill(std::pair<A, B>& v, random& r) {
  fill(v.first, r);
  fill(v.second, r);
}
template <class... T> void fill(std::tuple<T...>& v, random& r) {
  std::apply([&](auto&... e) { (fill(e, r), ...); }, v);
}
template <class... T> void fill(std::variant<T...>& v, random& r) {
  const std::size_t pick = r() % sizeof...(T);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((pick == I ? fill(v.template emplace<I>(), r) : void()), ...);
  }(std::index_sequence_for<T...>{});
}
template <class T> void fill(tagged<T>& v, random& r) { fill(v.value, r); }
template <class T> void fill(record<T>& v, random& r) {
  fill(v.value, r);
  fill(v.after, r);
}
inline void fill(row& v, random& r) {
  fill(v.id, r);
  fill(v.weight, r);
  fill(v.name, r);
  fill(v.best, r);
  fill(v.place, r);
}
inline void fill(module_& v, random& r) {
  fill(v.weight, r);
  fill(v.table, r);
  fill(v.info, r);
}

/// Calls `f.template operator()<T>()` for every leaf type.
template <class F>
void for_each_leaf(F f) {
  f.template operator()<int>();
  f.template operator()<bool>();
  f.template operator()<long double>();
  f.template operator()<mode>();
  f.template operator()<std::string>();
  f.template operator()<std::array<float, 2>>();
  f.template operator()<std::array<std::array<bool, 2>, 3>>();
  f.template operator()<std::vector<int>>();
  f.template operator()<std::vector<bool>>();
  f.template operator()<std::chrono::milliseconds>();
  f.template operator()<empty>();
  f.template operator()<row>();
  f.template operator()<module_>();
  f.template operator()<gauge>();
}

/// Calls it for every way to hold a `T`.
template <class T, class F>
void for_each_holder(F f) {
  f.template operator()<T>();
  f.template operator()<std::vector<T>>();
  f.template operator()<std::array<T, 2>>();
  f.template operator()<std::optional<T>>();
  f.template operator()<std::map<std::string, T>>();
  f.template operator()<std::map<int, T>>();
  f.template operator()<std::pair<T, int>>();
  f.template operator()<std::variant<std::monostate, T, tagged<T>>>();
  f.template operator()<record<T>>();
}

}  // namespace samples
#endif
