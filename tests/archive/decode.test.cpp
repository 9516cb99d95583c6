// SPDX-License-Identifier: BSL-1.0
// archive/decode.test.cpp: every kind of state comes back, into any target, or is refused with the target untouched.
#include <tidemark/archive/decode.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "held_tensors.hpp"
#include "repacked.hpp"
#include "samples.hpp"

using namespace samples;

namespace {

/// What a round trip found. Judged outside the template, since each REQUIRE costs the compiler as much as what it judges.
struct trip {
  bool is_fresh_equal, is_previous_equal;
  held::tensors written, again;
  std::string repacked, packed;
};

void judge(const std::string& type, const trip& found) {
  CAPTURE(type);
  REQUIRE(found.is_fresh_equal);
  REQUIRE(found.again == found.written);
  REQUIRE(found.is_previous_equal);
  REQUIRE(found.repacked == found.packed);
}

/// Random values into fresh and into other targets, and back: equal as values, and equal as what is saved again. And their tensors,
/// repacked by the schema alone, are the bytes that packing the value gives.
template <class T>
void round_trips(int rounds) {
  samples::random r{17};
  const std::string type = to_text(tidemark::schema_of<T>());
  T previous{};
  for (int round = 0; round < rounds; ++round) {
    T original{};
    fill(original, r);
    auto all = held::encode(original, 16 + r() % 100);
    T fresh{};
    held::decode(all, fresh, 1 + r() % 40);
    held::decode(all, previous);  // over what another value left there
    auto repacked = held::repacked<T>(all);
    judge(type, {fresh == original, previous == original, std::move(all), held::encode(fresh), std::move(repacked), held::packed(original)});
    fill(previous, r);
  }
}

}  // namespace

TEST_CASE("every leaf in every holder round-trips, and repacks to what packing gives") {
  for_each_leaf([]<class Leaf>() {
    for_each_holder<Leaf>([]<class T>() { round_trips<T>(20); });
  });
}

TEST_CASE("structures whose side tensors could meet at one name round-trip") {
  round_trips<std::vector<std::array<std::vector<empty>, 2>>>(20);
  round_trips<std::map<title, std::vector<float>>>(20);
  round_trips<std::map<title, module_>>(20);
  round_trips<std::map<std::string, record<std::optional<std::vector<float>>>>>(20);
  round_trips<std::optional<std::vector<module_>>>(20);
  round_trips<std::optional<std::map<std::string, std::vector<float>>>>(20);
  round_trips<std::map<std::optional<std::array<std::optional<std::vector<int>>, 2>>, int>>(20);
}

TEST_CASE("arrays of the size that is stored keep their memory, and so do modules, rows and map entries") {
  struct state {
    std::vector<float> weights = {1, 2, 3};
    std::vector<module_> modules = std::vector<module_>(2);
    std::vector<row> rows = std::vector<row>(3);
    std::map<std::string, std::vector<double>> dict = {{"a", {1}}, {"b", {2, 3}}};
    std::optional<std::vector<int>> maybe = std::vector<int>{1, 2};
  };
  state stored;
  stored.weights = {4, 5, 6};
  stored.modules[1].weight = {7};
  stored.dict = {{"b", {8, 9}}, {"c", {}}};
  stored.maybe = {3, 4};
  state target;
  target.modules[1].weight = {0};
  const auto* weights = target.weights.data();
  const auto* modules = target.modules.data();
  const auto* inner = target.modules[1].weight.data();
  const auto* rows = target.rows.data();
  const auto* b = &target.dict["b"];
  const auto* b_data = b->data();
  const auto* maybe = target.maybe->data();
  held::decode(held::encode(stored), target);
  CHECK(target.weights.data() == weights);
  CHECK(target.modules.data() == modules);
  CHECK(target.modules[1].weight.data() == inner);
  CHECK(target.rows.data() == rows);
  CHECK(&target.dict["b"] == b);
  CHECK(b->data() == b_data);
  CHECK(target.maybe->data() == maybe);
  CHECK(target.weights == stored.weights);
  CHECK(target.dict == stored.dict);
}

TEST_CASE("a check without a target finds what decoding would find: every byte of every tensor, set to small numbers, powers of two and their neighbours") {
  struct state {
    std::vector<module_> modules{{{1, 2}, {}, {}}};
    std::vector<row> rows{{1, 2, "ab", 3.f, {}}, {2, 3, "", {}, {}}};
    std::map<int, std::string> names{{1, "x"}, {2, "yz"}};
    std::optional<bool> flag = true;
    std::variant<int, std::string> choice = std::string("c");
    std::vector<std::variant<int, std::string>> choices{1, std::string("q")};
    std::vector<bool> bits{true, false};
    std::vector<std::vector<bool>> ragged{{true}, {}};
    std::vector<std::map<int, int>> maps{{{1, 2}}, {{3, 4}, {5, 6}}};
    gauge level;
    std::vector<gauge> levels = std::vector<gauge>(2);
    long double wide = 1.5L;
  };
  const auto all = held::encode(state{});
  std::size_t refused = 0, accepted = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    for (std::size_t at = 0; at < all[t].bytes.size(); ++at) {
      auto changed = all;
      for (const int byte : {0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 100, 101, 127, 128, 254, 255}) {
        changed[t].bytes[at] = static_cast<char>(byte);
        CAPTURE(all[t].name);
        CAPTURE(at);
        CAPTURE(byte);
        held::input in(changed);
        bool checks = true, decodes = true;
        try {
          tidemark::detail::decode_state<state>(in, nullptr);
          if (!in.all_claimed()) {  // such as the tensors of a module that is counted no more: whoever owns the archive refuses it
            ++refused;
            continue;
          }
        } catch (const tidemark::error& e) {
          checks = false;
          REQUIRE((e.code() == tidemark::errc::invalid_value || e.code() == tidemark::errc::corrupt || e.code() == tidemark::errc::limit));
          REQUIRE_FALSE(e.tensor().empty());
        }
        try {
          state target;
          tidemark::detail::decode_state(in, &target);
          in.run_deferred();
          if (checks) REQUIRE(held::encode(target) == changed);  // what is accepted is kept bit for bit
        } catch (const tidemark::error&) {
          decodes = false;
        }
        REQUIRE(checks == decodes);
        ++(checks ? accepted : refused);
      }
    }
  }
  CHECK(refused > 1000);
  CHECK(accepted > 1000);
}

TEST_CASE("a missing tensor, another dtype, rank or extent is an error that names the tensor, for every tensor") {
  struct state {
    std::vector<module_> modules{{{1, 2}, {{1, 2}}, {}}};
    std::vector<row> rows{{1, 2, "ab", 3.f, {}}, {2, 3, "", {}, {}}};
    std::array<std::array<float, 2>, 3> matrix{};
    std::map<std::string, std::vector<int>> dict{{"k", {1}}};
    std::map<int, std::string> names{{1, "x"}};
    std::vector<std::vector<int>> ragged{{1}, {}};
    std::vector<std::variant<int, std::string>> choices{1, std::string("q")};
    std::string text = "abc";
    std::uint64_t step = 1;
  };
  const auto all = held::encode(state{});
  const auto is_refused = [](const held::tensors& changed) {
    try {
      state target;
      held::decode(changed, target);
      return false;
    } catch (const tidemark::error& e) {
      CHECK_FALSE(e.tensor().empty());
      return true;
    }
  };
  for (std::size_t t = 0; t < all.size(); ++t) {
    CAPTURE(all[t].name);
    auto without = all;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(t));
    CHECK(is_refused(without));
    auto retyped = all;
    retyped[t].type = all[t].type == tidemark::dtype::i8 ? tidemark::dtype::u8 : tidemark::dtype::i8;
    CHECK(is_refused(retyped));
    auto deeper = all;
    deeper[t].shape.push_back(1);
    CHECK(is_refused(deeper));
    for (std::size_t e = 0; e < all[t].shape.size(); ++e) {
      const bool is_free = all[t].name == "text" || all[t].name == "modules.0.info.name" || all[t].name == "modules.0.weight" ||
                           all[t].name == "modules.0.table" || all[t].name == "dict.k";
      if (is_free && e == 0) continue;  // any size is a value
      auto longer = all;  // with the bytes that the shape asks for
      ++longer[t].shape[e];
      bool fits = true;
      longer[t].bytes.resize(static_cast<std::size_t>(tidemark::detail::tensor_bytes(longer[t].type, longer[t].shape, fits)));
      CAPTURE(e);
      CHECK(is_refused(longer));
    }
  }
}

TEST_CASE("elements that take no bytes cannot ask for memory without bound") {
  struct none {
    std::vector<empty> many = std::vector<empty>(3);
  };
  auto all = held::encode(none{});
  REQUIRE(held::listing(all) == "many#size U64 []\n");
  const auto with_size = [&](std::uint64_t size) {
    all[0].bytes.assign(reinterpret_cast<const char*>(&size), 8);
    none target;
    held::decode(all, target);
    return target.many.size();
  };
  CHECK(with_size(0) == 0);
  CHECK(with_size(1000) == 1000);
  CHECK_THROWS_AS(with_size(std::uint64_t{1} << 40), tidemark::error);
  CHECK_THROWS_AS(with_size(UINT64_MAX), tidemark::error);

  struct thin {
    std::vector<std::array<float, 0>> many;
  };
  held::tensors thin_file{{"many", tidemark::dtype::f32, {std::uint64_t{1} << 50, 0}, ""}};
  thin target;
  CHECK_THROWS_AS(held::decode(thin_file, target), tidemark::error);
  struct modules {
    std::vector<module_> layers;
  };
  held::tensors hollow{{"layers#size", tidemark::dtype::u64, {}, std::string("\0\0\0\0\0\0\0\x10", 8)}};
  modules m;
  CHECK_THROWS_AS(held::decode(hollow, m), tidemark::error);
}

TEST_CASE("a few bytes cannot make a load reserve memory for many large elements") {
  struct big {
    std::array<double, 1000> a{};
    bool b = false;
  };
  struct rows {
    std::vector<big> r;
    std::vector<std::array<std::string, 100>> t;
  };
  const auto is_refused = [](const held::tensors& all, auto target) {
    try {
      held::input in(all);
      tidemark::detail::decode_state<decltype(target)>(in, nullptr);
      held::input again(all);
      tidemark::detail::decode_state(again, &target);
      return false;
    } catch (const tidemark::error&) {
      return true;
    }
  };
  const std::uint64_t many = 300'000;
  const std::string number(reinterpret_cast<const char*>(&many), 8);
  CHECK(is_refused({{"r.a", tidemark::dtype::f64, {many, 0}, ""}, {"r.b", tidemark::dtype::boolean, {0}, ""}, {"t#size", tidemark::dtype::u64, {}, std::string(8, '\0')}, {"t#offsets", tidemark::dtype::u64, {1}, std::string(8, '\0')}, {"t", tidemark::dtype::u8, {0}, ""}}, rows{}));
  CHECK(is_refused({{"r.a", tidemark::dtype::f64, {0, 1000}, ""}, {"r.b", tidemark::dtype::boolean, {0}, ""}, {"t#size", tidemark::dtype::u64, {}, number}, {"t#offsets", tidemark::dtype::u64, {1}, std::string(8, '\0')}, {"t", tidemark::dtype::u8, {0}, ""}}, rows{}));
}

TEST_CASE("what a load would refuse is refused when it is saved: countless elements of no bytes, keys that are not numbers") {
  CHECK_NOTHROW(held::encode(std::vector<empty>(1 << 20)));
  CHECK_THROWS_AS(held::encode(std::vector<empty>((1 << 20) + 1)), tidemark::error);
  CHECK_THROWS_AS((held::encode(std::vector<std::array<float, 0>>((1 << 20) + 1))), tidemark::error);
  CHECK_THROWS_AS((held::encode(std::map<double, int>{{std::numeric_limits<double>::quiet_NaN(), 1}})), tidemark::error);
  CHECK_THROWS_AS((held::encode(std::vector<std::map<float, int>>{{{std::numeric_limits<float>::quiet_NaN(), 1}}})), tidemark::error);
  std::map<double, int> target{{5.0, 1}};
  auto all = held::encode(std::map<double, int>{{2.0, 7}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto& t : all) {
    if (t.name == "#root#keys") t.bytes.assign(reinterpret_cast<const char*>(&nan), 8);
  }
  CHECK_THROWS_AS(held::decode(all, target), tidemark::error);
  CHECK(target == std::map<double, int>{{5.0, 1}});
}

namespace {

struct no_case {
  bool operator()(const std::string& a, const std::string& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return std::tolower(x) < std::tolower(y); });
  }
};
struct numbered {
  int id = 0;
  std::string label;
  [[maybe_unused]] friend bool operator==(const numbered&, const numbered&) = default;
};
struct by_id {
  bool operator()(const numbered& a, const numbered& b) const { return a.id < b.id; }
};
class flag {
 public:
  bool snapshot() const { return is_set; }
  void restore(bool b) { is_set = b; }
  bool is_set = false;
  friend bool operator==(const flag&, const flag&) = default;  // nvcc 13 does not make it from the next
  friend auto operator<=>(const flag&, const flag&) = default;
};

}  // namespace

TEST_CASE("keys that a comparator takes for equal are restored as they were stored, their values in place") {
  struct state {
    std::map<std::string, std::vector<float>, no_case> named;
    std::map<numbered, int, by_id> labelled;
    std::map<double, int> zeros;
    std::vector<std::map<double, int>> rows;
  };
  state stored{{{"w", {2}}}, {{{1, "new"}, 2}}, {{-0.0, 1}, {3.0, 2}}, {{{-0.0, 5}}}};
  state target{{{"W", {1}}}, {{{1, "old"}, 1}}, {{0.0, 1}}, {{{0.0, 4}}}};
  const auto* value = &target.named.begin()->second;
  const auto all = held::encode(stored);
  held::decode(all, target);
  CHECK(held::encode(target) == all);
  CHECK(target.named.begin()->first == "w");
  CHECK(target.labelled.begin()->first.label == "new");
  CHECK(std::signbit(target.zeros.begin()->first));
  CHECK(std::signbit(target.rows[0].begin()->first));
  CHECK(&target.named.begin()->second == value);
}

TEST_CASE("a class whose value is a bool is state in rows and as a key") {
  struct state {
    std::vector<flag> many = std::vector<flag>(3);
    std::map<flag, int> by;
  } s, back;
  s.many[1].is_set = true;
  s.by[s.many[1]] = 5;
  held::decode(held::encode(s), back);
  CHECK(back.many == s.many);
  CHECK(back.by == s.by);
}

TEST_CASE("a value that the user's code refuses is refused before the target is touched") {
  struct state {
    int before = 1;
    gauge level;
  };
  state stored;
  stored.before = 9;
  stored.level.level = 150;  // only a hostile or buggy writer has this
  state target;
  const auto all = held::encode(stored);
  try {
    held::decode(all, target);
    FAIL("accepted");
  } catch (const tidemark::error& e) {
    CHECK(e.tensor() == "level");
    CHECK(e.code() == tidemark::errc::invalid_value);
  }
  CHECK(target.before == 1);
}
