// SPDX-License-Identifier: BSL-1.0
// whole/golden.hpp: the states whose archives of format version 1 are kept in whole/golden/ and must be read for ever.
#ifndef TIDEMARK_TESTS_WHOLE_GOLDEN_HPP
#define TIDEMARK_TESTS_WHOLE_GOLDEN_HPP

#include <tidemark/tidemark.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

// Nothing here may change: a state that is to hold more gets a new name and a new file. No long double: its format is the machine's.
namespace golden {

using namespace std::string_literals;

enum class color : std::uint8_t { red, green };

struct scalars {
  bool yes = true;
  char letter = 'A';
  char16_t utf16 = u'\u00e9';
  char32_t utf32 = U'\U0001F30A';
  std::int8_t i8 = -8;
  std::uint8_t u8 = 200;
  std::int16_t i16 = -1600;
  std::uint16_t u16 = 60000;
  std::int32_t i32 = -2000000000;
  std::uint32_t u32 = 4000000000;
  std::int64_t i64 = -9000000000000000000;
  std::uint64_t u64 = 18000000000000000000U;
  float f32 = 1.5F;
  double f64 = -0.1;
  color paint = color::green;
  std::chrono::milliseconds wait{1500};
  std::chrono::sys_time<std::chrono::seconds> when{std::chrono::seconds{1700000000}};
  friend bool operator==(const scalars&, const scalars&) = default;
};

struct arrays {
  std::string text = "caf\u00e9 \"x\"\n";
  std::string bytes = "\xff\0z"s;
  std::vector<float> floats{1, -0.0F, 3};
  std::vector<float> none;
  std::vector<bool> bits{true, false, true};
  std::vector<color> paints{color::green, color::red};
  std::array<std::array<double, 3>, 2> matrix{{{1, 2, 3}, {4, 5, 6}}};
  std::vector<std::array<std::int16_t, 2>> pairs{{1, 2}, {3, 4}, {5, 6}};
  std::array<float, 0> empty{};
  friend bool operator==(const arrays&, const arrays&) = default;
};

struct module_ {
  std::vector<float> weight;
  std::optional<float> bias;
  friend bool operator==(const module_&, const module_&) = default;
};
struct row {
  std::int32_t id = 0;
  std::array<float, 2> at{};
  std::string label;
  friend bool operator==(const row&, const row&) = default;
};
class length {
 public:
  static constexpr std::string_view checkpoint_name = "metres";
  length(double metres = 0) : metres_(metres) {}
  double snapshot() const { return metres_; }
  void restore(double metres) { metres_ = metres; }
  friend bool operator==(const length&, const length&) = default;

 private:
  double metres_;
};

struct structures {
  std::optional<std::int32_t> present = 7, absent;
  std::optional<std::optional<std::int32_t>> inner_absent{std::optional<std::int32_t>{}}, both_present{std::optional<std::int32_t>{5}};
  std::optional<module_> part = module_{{1, 2}, std::nullopt};
  std::variant<std::int32_t, std::string, module_> choice = module_{{9}, 3.0F};
  std::variant<std::monostate, float> nil;
  std::tuple<std::uint8_t, std::string, std::vector<double>> triple{1, "two", {3.0}};
  std::pair<bool, std::tuple<>> couple{true, {}};
  row nested{3, {1, 2}, "n"};
  length way{42.5};
  friend bool operator==(const structures&, const structures&) = default;
};

struct sequences {
  std::vector<row> rows;
  std::vector<module_> modules;
  std::vector<std::string> words;
  std::vector<std::vector<float>> ragged;
  std::vector<std::vector<std::string>> lists;
  std::vector<std::optional<std::string>> maybe;
  std::vector<std::variant<std::int32_t, std::string>> mixed;
  std::vector<std::map<std::string, std::int32_t>> tables;
  std::vector<length> lengths;
  std::vector<row> no_rows;
  friend bool operator==(const sequences&, const sequences&) = default;
};
inline sequences sample_of_sequences() {  // not as member initializers, on which g++ 12 ends itself
  return {
      .rows = {{1, {0.5F, 1}, "a"}, {2, {1.5F, 2}, ""}, {3, {2.5F, 3}, "ccc"}},
      .modules = {{{1}, 0.5F}, {{2, 3}, std::nullopt}},
      .words = {"one", "", "three"},
      .ragged = {{1, 2}, {}, {3}},
      .lists = {{"a", "b"}, {}, {"c"}},
      .maybe = {"x", std::nullopt, "z"},
      .mixed = {1, "s", 2},
      .tables = {{{"k", 1}, {"l", 2}}, {}, {{"m", 3}}},
      .lengths = {1.5, 2.5},
      .no_rows = {},
  };
}

struct maps {
  std::map<std::string, std::vector<float>> state;
  std::map<std::string, module_> named;
  std::map<std::int32_t, module_> numbered;
  std::map<std::int32_t, double> table;
  std::map<std::string, std::string> words;
  std::map<std::string, std::optional<std::int32_t>> maybe;
  friend bool operator==(const maps&, const maps&) = default;
};
inline maps sample_of_maps() {
  return {
      .state = {{"", {4}}, {"a#b%c\n", {3}}, {"layer.0.weight", {1, 2}}, {"\xc3\xa9", {5}}, {"\xff", {}}},
      .named = {{"a.b", {{1}, std::nullopt}}, {"c", {{}, 2.0F}}},
      .numbered = {{-5, {{1}, std::nullopt}}, {9, {{2}, 1.0F}}},
      .table = {{1, 0.5}, {2, 1.5}},
      .words = {{"a", "x"}, {"b.c", ""}},
      .maybe = {{"n", std::nullopt}, {"y", 4}},
  };
}

struct engines {
  std::uint64_t step = 3;
  std::mt19937_64 wide{42};
  std::minstd_rand linear{5};
  std::normal_distribution<float> noise{1, 2};
  tidemark::shuffled_sampler order{10, 3};
  friend bool operator==(const engines&, const engines&) = default;
};

using root = std::vector<module_>;

/// Calls `f(name, state, metadata)` for each.
template <class F>
void for_each(F&& f) {
  f("scalars", scalars{}, tidemark::metadata_list{});
  f("arrays", arrays{}, tidemark::metadata_list{{"step", "12"}, {"note", "line\n\"two\"\r\t\x1b\xc3\xa9"}});
  f("structures", structures{}, tidemark::metadata_list{});
  f("sequences", sample_of_sequences(), tidemark::metadata_list{});
  f("maps", sample_of_maps(), tidemark::metadata_list{});
  f("engines", engines{}, tidemark::metadata_list{});
  f("root", root{{{4}, std::nullopt}, {{}, 1.0F}}, tidemark::metadata_list{});
}

}  // namespace golden
#endif
