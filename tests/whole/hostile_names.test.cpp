// SPDX-License-Identifier: BSL-1.0
// whole/hostile_names.test.cpp: keys of any bytes come back as they were, under names that every reader of safetensors takes.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace tidemark;
using namespace std::string_literals;

namespace {

/// What a program or an adversary may call things: each alone is a key, and so are all pairs of them.
const std::vector<std::string> odd = {
    "", ".", "..", "a.b", "a", "b", "#", "%", "%23", "%2E", "%2e", "\n", "\r\n", "\t", "\0"s, "a\0b"s, "\x7f", "\x1b[31m", "\"", "\\", "\\u0000", "/", "../../etc/passwd",
    "__metadata__", "tidemark", "tidemark#digests", "#root", "#keys", "#keys#offsets", "a#size", "0", "00", "-1", "18446744073709551616",
    "\xff", "\xc3", "\xc3\xa9", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xef\xbb\xbf", "\xe2\x80\xae", "\xef\xbf\xbf", "e\xcc\x81", "weight", "x.weight", "weight.weight", " ", "a ",
};

std::vector<std::string> keys() {
  std::vector<std::string> all = odd;
  for (const auto& a : odd) {
    for (const auto& b : odd) all.push_back(a + b);
  }
  for (const char c : {'a', '.', '#', '%', '\n', '\0', '\x7f', '\xff', '"'}) all.push_back(std::string(std::size_t{64} << 10, c));
  std::string every;
  for (int c = 0; c < 256; ++c) {
    every += static_cast<char>(c);
    all.push_back(std::string(1, static_cast<char>(c)));
  }
  all.push_back(every);
  return all;
}

struct linear {
  std::vector<float> weight;
  float b = 0;
  friend bool operator==(const linear&, const linear&) = default;
};
struct nested {
  linear at;
  std::vector<float> weight;  // `at.weight` ends in it
  friend bool operator==(const nested&, const nested&) = default;
};

struct dictionaries {
  std::map<std::string, std::vector<float>> arrays;
  std::map<std::string, linear> modules;
  std::map<std::string, nested> escaped;
  std::map<std::string, double> rows;
  std::map<std::string, std::optional<linear>> maybe;
  std::map<std::string, std::map<std::string, std::vector<float>>> deep;
  friend bool operator==(const dictionaries&, const dictionaries&) = default;
};
struct inner {
  std::vector<float> b{1};
  friend bool operator==(const inner&, const inner&) = default;
};
struct outer {
  inner a;
  std::map<std::string, std::vector<float>> m{{"a.b", {2}}, {"a", {3}}, {"b", {4}}, {"size", {5}}, {"0", {6}}};
  std::map<std::string, inner> a_;
  std::vector<float> m_a{7};
  std::map<std::string, linear> modules{{"x", {{1}, 2}}, {"x.weight", {{3}, 4}}, {"x.b", {{5}, 6}}, {"b", {{}, 0}}, {"weight", {{}, 0}}};
  std::vector<linear> layers{{{1}, 2}};
  std::map<std::string, std::vector<linear>> lists{{"0", {{{1}, 2}}}, {"0.0", {{{3}, 4}}}, {"", {{{5}, 6}}}};
  friend bool operator==(const outer&, const outer&) = default;
};
struct texts {
  std::string alone;
  std::vector<std::string> many;
  std::map<std::string, std::string> dict;
  friend bool operator==(const texts&, const texts&) = default;
};

template <class V>
std::map<std::string, V> filled(auto value_of) {
  std::map<std::string, V> all;
  float n = 0;
  for (const auto& key : keys()) all[key] = value_of(n += 1);
  return all;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = detail::utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Saved, loaded into nothing and over something else; every name once, UTF-8, without control characters.
template <class T>
void round_trips(const T& state) {
  memory m;
  save(state, m);
  CHECK(load<T>(m) == state);
  T target;
  restore(target, m);
  CHECK(target == state);
  memory again;
  save(target, again);
  CHECK(std::ranges::equal(again.bytes(), m.bytes()));
  std::set<std::string> names;
  const archive_view view{m};
  for (const tensor_info& t : view.tensors()) {
    REQUIRE(names.insert(std::string(t.name)).second);
    REQUIRE(is_utf8(t.name));
    REQUIRE(std::none_of(t.name.begin(), t.name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }));
  }
}

}  // namespace

TEST_CASE("keys of any bytes come back, whatever they lead to") {
  dictionaries s;
  s.arrays = filled<std::vector<float>>([](float n) { return std::vector<float>{n}; });
  s.modules = filled<linear>([](float n) { return linear{{n}, n}; });
  s.escaped = filled<nested>([](float n) { return nested{{{n}, n}, {n}}; });
  s.rows = filled<double>([](float n) { return static_cast<double>(n); });
  s.maybe = filled<std::optional<linear>>([](float n) { return n > 9 ? std::optional(linear{{n}, n}) : std::nullopt; });
  for (const auto& key : odd) {
    for (const auto& inner : odd) s.deep[key][inner] = {static_cast<float>(s.deep.size())};
  }
  round_trips(s);
}

TEST_CASE("a map at the root with keys that look like the container's own names") {
  std::map<std::string, std::vector<float>> root;
  for (const auto& key : odd) root[key] = {static_cast<float>(root.size())};
  round_trips(root);
}

TEST_CASE("a key a.b beside a member a with a member b, and members that spell like escapes, stay apart") {
  outer s;
  s.a_["a.b"] = {{8}};
  round_trips(s);
}

TEST_CASE("strings as values hold any bytes too, a NUL and a MiB among them") {
  texts s;
  for (const auto& key : keys()) {
    s.alone += key;
    s.many.push_back(key);
    s.dict[key] = key;
  }
  s.many.emplace_back(std::size_t{1} << 20, '\0');
  round_trips(s);
}

TEST_CASE("metadata of odd keys and values comes back; what is no UTF-8 or taken is refused before anything is written") {
  metadata_list all;
  for (const auto& key : odd) {
    memory m;
    const metadata_list one{{key, "v"}}, other{{"k", key}};
    if (!is_utf8(key)) {
      CHECK_THROWS_AS(save(1, m, {.metadata = one}), error);
      CHECK_THROWS_AS(save(1, m, {.metadata = other}), error);
      CHECK(m.bytes().empty());
    } else if (key != "tidemark" && key != "format") {
      all.emplace_back(key, key);
    } else {
      CHECK_THROWS_AS(save(1, m, {.metadata = one}), error);
    }
  }
  memory m;
  save(1, m, {.metadata = all});
  const archive_view view{m};
  for (const auto& entry : all) {
    CAPTURE(entry.first);
    REQUIRE(view.metadata(entry.first));
    CHECK(*view.metadata(entry.first) == entry.second);
  }
}
