// SPDX-License-Identifier: BSL-1.0
// whole/out_of_range.test.cpp: archives whose digests are right and whose numbers no state has: each is refused by name, the target untouched.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/forge.hpp"

using namespace tidemark;

namespace {

struct module_ {
  std::vector<float> weight{1, 2};
  friend bool operator==(const module_&, const module_&) = default;
};
struct sized {
  std::vector<module_> modules = std::vector<module_>(2);
  std::vector<std::string> words{"ab", "", "c"};
  std::vector<std::vector<std::int32_t>> ragged{{1}, {2, 3}};
  std::map<std::int32_t, double> table{{-1, 1.5}, {0, 2.5}, {7, 3.5}};
  std::map<std::string, std::int32_t> named{{"a", 1}, {"b", 2}, {"bc", 3}};
  std::vector<std::map<std::int32_t, bool>> tables{{{1, true}}, {{2, false}, {3, true}}};
  std::optional<float> maybe = 1.f;
  std::vector<std::optional<bool>> maybes{true, std::nullopt, false};
  std::variant<std::int32_t, std::string> choice = 5;
  std::vector<std::variant<std::int32_t, std::monostate, bool>> choices{1, std::monostate{}, true};
  bool flag = true;
  std::vector<bool> flags{true, false, true};
  friend bool operator==(const sized&, const sized&) = default;
};

struct refusal {
  std::string code, tensor;
};

/// How `restore` and `load` refuse the archive; empty where they take it. A refused target must be untouched.
refusal refused(const fuzz::archive& parts) {
  const memory file{fuzz::put_together(parts)};
  sized target;
  target.flag = false;
  target.modules.resize(1);
  target.table[9] = 9;
  const sized before = target;
  refusal by_restore, by_load;
  try {
    restore(target, file);
  } catch (const error& e) {
    by_restore = {std::string(name_of(e.code())), e.tensor()};
    CHECK(target == before);
  }
  try {
    static_cast<void>(load<sized>(file));
  } catch (const error& e) {
    by_load = {std::string(name_of(e.code())), e.tensor()};
  }
  CHECK(by_load.code == by_restore.code);
  CHECK(by_load.tensor == by_restore.tensor);
  return by_restore;
}

fuzz::archive whole() { return *fuzz::taken_apart(fuzz::saved_bytes(sized{})); }

fuzz::tensor& at(fuzz::archive& parts, const std::string& name) {
  const auto found = std::find_if(parts.tensors.begin(), parts.tensors.end(), [&](const fuzz::tensor& t) { return t.name == name; });
  REQUIRE(found != parts.tensors.end());
  return *found;
}

template <class N>
void set(fuzz::tensor& t, std::size_t element, N value) {
  REQUIRE(t.content.size() >= (element + 1) * sizeof(N));
  std::memcpy(t.content.data() + element * sizeof(N), &value, sizeof(N));
}

std::vector<std::uint64_t> edges() {
  std::vector<std::uint64_t> all;
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t n : {power - 1, power, power + 1, ~power}) all.push_back(n);
  }
  return all;
}

}  // namespace

TEST_CASE("the archive as it was saved is taken") { CHECK(refused(whole()).code.empty()); }

TEST_CASE("a count that is not the number of what is there is refused, up to 2^64 - 1") {
  for (const std::uint64_t n : edges()) {
    if (n == 2) continue;
    auto parts = whole();
    set(at(parts, "modules#size"), 0, n);
    CAPTURE(n);
    REQUIRE_FALSE(refused(parts).code.empty());
  }
}

TEST_CASE("offsets that do not begin with 0, fall, or end elsewhere than their total are refused by name") {
  const std::map<std::string, std::vector<std::uint64_t>> stored = {
      {"words#offsets", {0, 2, 2, 3}}, {"ragged#offsets", {0, 1, 3}}, {"tables#offsets", {0, 1, 3}}, {"named#keys#offsets", {0, 1, 2, 4}}};
  for (const auto& [key, offsets] : stored) {
    const std::string& name = key;  // clang before 16 captures no binding
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      for (const std::uint64_t n : edges()) {
        auto changed = offsets;
        changed[i] = n;
        // Other cuts of the same text or rows are values too; of keys, those that still rise.
        if (changed.front() == 0 && changed.back() == offsets.back() && std::is_sorted(changed.begin(), changed.end())) continue;
        auto parts = whole();
        set(at(parts, name), i, n);
        const refusal is = refused(parts);
        CAPTURE(name);
        CAPTURE(i);
        CAPTURE(n);
        REQUIRE(is.code == "invalid_value");
        REQUIRE(is.tensor == name);
      }
    }
  }
}

TEST_CASE("an index that no alternative has is refused by name") {
  for (const auto& [key, alternatives] : std::map<std::string, std::uint64_t>{{"choice#index", 2}, {"choices#index", 3}}) {
    const std::string& name = key;  // clang before 16 captures no binding
    for (const std::uint64_t n : edges()) {
      const auto index = static_cast<std::uint32_t>(n);
      if (index < alternatives) continue;
      auto parts = whole();
      set(at(parts, name), 0, index);
      const refusal is = refused(parts);
      CAPTURE(name);
      REQUIRE(is.code == "invalid_value");
      REQUIRE(is.tensor == name);
    }
  }
}

TEST_CASE("a bool other than 0 and 1 is refused by name, wherever bools lie, whichever of the 254") {
  for (const auto& [key, elements] : std::map<std::string, std::size_t>{{"flag", 1}, {"flags", 3}, {"maybe#has", 1}, {"maybes#has", 3}, {"maybes", 2}, {"choices#2", 1}, {"tables", 3}}) {
    const std::string& name = key;  // clang before 16 captures no binding
    for (std::size_t i = 0; i < elements; ++i) {
      for (unsigned n = 2; n < 256; ++n) {
        auto parts = whole();
        set(at(parts, name), i, static_cast<std::uint8_t>(n));
        const refusal is = refused(parts);
        CAPTURE(name);
        REQUIRE(is.code == "invalid_value");
        REQUIRE(is.tensor == name);
      }
    }
  }
}

TEST_CASE("keys that do not rise, or stand twice, are refused by name") {
  for (const auto& [a, b, c] : std::vector<std::array<std::int32_t, 3>>{{0, 0, 7}, {0, -1, 7}, {-1, 7, 7}, {-1, 7, 0}, {7, 0, -1}, {2147483647, -2147483648, 0}}) {
    auto parts = whole();
    set(at(parts, "table#keys"), 0, a);
    set(at(parts, "table#keys"), 1, b);
    set(at(parts, "table#keys"), 2, c);
    const refusal is = refused(parts);
    CHECK(is.code == "invalid_value");
    CHECK(is.tensor == "table#keys");
  }
  for (const char* keys : {"aabb", "babc", "cabd", "bbbc"}) {  // of lengths 1, 1, 2
    auto parts = whole();
    std::memcpy(at(parts, "named#keys").content.data(), keys, 4);
    const refusal is = refused(parts);
    CAPTURE(keys);
    CHECK(is.code == "invalid_value");
    CHECK(is.tensor == "named#keys");
  }
  auto parts = whole();
  set(at(parts, "tables#keys"), 2, std::int32_t{2});
  CHECK(refused(parts).tensor == "tables#keys");
}

TEST_CASE("one name twice, a tensor too many or too few, and a value for what is absent are refused, each tensor") {
  const auto all = whole();
  for (std::size_t t = 0; t < all.tensors.size(); ++t) {
    CAPTURE(all.tensors[t].name);
    auto twice = all;
    twice.tensors.push_back(all.tensors[t]);
    const refusal is = refused(twice);
    CHECK(is.code == "corrupt");
    CHECK(is.tensor == all.tensors[t].name);
    auto more = all;
    more.tensors.push_back(all.tensors[t]);
    more.tensors.back().name += "_";
    CHECK(refused(more).code == "corrupt");
    auto fewer = all;
    fewer.tensors.erase(fewer.tensors.begin() + static_cast<std::ptrdiff_t>(t));
    CHECK(refused(fewer).code == "corrupt");
  }
  auto absent = all;
  set(at(absent, "maybe#has"), 0, std::uint8_t{0});
  CHECK(refused(absent).tensor == "maybe");
}

TEST_CASE("a schema of more than 100 levels is refused without recursion, however deep, and one of 100 is read") {
  for (const std::size_t depth : {99u, 100u, 101u, 102u, 10'000u, 1'000'000u}) {
    for (const char* open : {"?", "[", "(", "{a:", "<"}) {
      auto parts = whole();
      for (auto& [key, value] : parts.metadata) {
        if (key != "tidemark") continue;
        value.resize(53);  // "1 xxh3-128 16777216 ", the digest, a space
        for (std::size_t i = 0; i < depth; ++i) value += open;
        value += "u8";
        if (*open == '[') value.append(depth, ']');
        if (*open == '{') value.append(depth, '}');
        if (*open == '(') for (std::size_t i = 0; i < depth; ++i) value += ",)";
        if (*open == '<') for (std::size_t i = 0; i < depth; ++i) value += ",u8>";
      }
      const memory file{fuzz::put_together(parts)};
      std::string code;
      try {
        verify(file);
      } catch (const error& e) {
        code = name_of(e.code());
      }
      CAPTURE(depth);
      CAPTURE(open);
      CHECK(code == (depth > 100 ? "corrupt" : ""));
    }
  }
}
