// SPDX-License-Identifier: BSL-1.0
// whole/golden.hpp: the states whose archives of format version 1 are kept in whole/golden/ and must be read for ever.
#ifndef TIDEMARK_TESTS_WHOLE_GOLDEN_HPP
#define TIDEMARK_TESTS_WHOLE_GOLDEN_HPP

#include <tidemark/tidemark.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
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

enum class phase : std::uint8_t { warm = 1, cold = 3 };
struct wide_row {
  std::int32_t id = 0;
  std::vector<float> marks;
  friend bool operator==(const wide_row&, const wide_row&) = default;
};

}  // namespace golden
template <>
inline constexpr tidemark::enumerators<golden::phase> tidemark::enum_range<golden::phase>{golden::phase::warm, golden::phase::cold};
template <>
inline constexpr bool tidemark::as_rows<golden::wide_row> = true;
namespace golden {

struct containers {
  std::set<std::int32_t> numbers;
  std::set<std::string> words;
  std::multiset<std::int16_t> counts;
  std::multimap<std::string, row> pairs;
  std::list<module_> layers;
  std::forward_list<std::int32_t> chain;
  std::deque<bool> flags;
  std::bitset<11> bits;
  std::vector<std::bitset<3>> masks;
  std::complex<float> single;
  std::vector<std::complex<double>> doubles;
  std::stack<std::int32_t> pile;
  std::queue<std::string> line;
  std::filesystem::path place;
  std::vector<std::filesystem::path> places;
  std::int32_t grid[2][3]{};
  char label[8]{};
  phase now = phase::warm;
  std::vector<phase> phases;
  std::vector<wide_row> wide;
  friend bool operator==(const containers&, const containers&) = default;
};
inline containers sample_of_containers() {
  containers s;
  s.numbers = {-5, 0, 7};
  s.words = {"", "b.c", "\xff"};
  s.counts = {1, 1, 2};
  s.pairs = {{"k", {1, {0.5F, 1}, "a"}}, {"k", {2, {1.5F, 2}, ""}}};
  s.layers = {{{1}, 0.5F}, {{2, 3}, std::nullopt}};
  s.chain = {3, 1, 2};
  s.flags = {true, false, true};
  s.bits = 0x2A5U;
  s.masks = {1U, 7U};
  s.single = {1, -2};
  s.doubles = {{1, 2}, {-3, 4}};
  for (const int i : {1, 2, 3}) s.pile.push(i);
  for (const char* w : {"x", "y"}) s.line.push(w);
  s.place = "runs/step-5//last";
  s.places = {"a", ""};
  s.grid[0][1] = 6;
  s.grid[1][2] = -7;
  s.label[0] = 'l';
  s.now = phase::cold;
  s.phases = {phase::cold, phase::warm};
  s.wide = {{1, {1, 2}}, {2, {}}, {3, {3}}};
  return s;
}

/// Held by what has no == of its own.
struct owned {
  std::unique_ptr<row> one;
  std::unique_ptr<module_> part, none;
  std::vector<std::unique_ptr<std::int32_t>> many;
  std::valarray<double> values;
  std::priority_queue<std::int32_t> queue;
  tidemark::named_tensors tensors;

  friend bool operator==(const owned& a, const owned& b) {
    const auto same = [](const auto& x, const auto& y) { return (x == nullptr) == (y == nullptr) && (x == nullptr || *x == *y); };
    const auto drained = [](auto q) {
      std::vector<std::int32_t> all;
      for (; !q.empty(); q.pop()) all.push_back(q.top());
      return all;
    };
    return same(a.one, b.one) && same(a.part, b.part) && same(a.none, b.none) && std::equal(a.many.begin(), a.many.end(), b.many.begin(), b.many.end(), same) &&
           std::equal(std::begin(a.values), std::end(a.values), std::begin(b.values), std::end(b.values)) && drained(a.queue) == drained(b.queue) &&
           std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(), [](const auto& x, const auto& y) {
             return x.first == y.first && x.second.type() == y.second.type() && x.second.shape() == y.second.shape() && std::ranges::equal(x.second.bytes(), y.second.bytes());
           });
  }
};
inline owned sample_of_owned() {
  owned s;
  s.one = std::make_unique<row>(row{3, {1, 2}, "n"});
  s.part = std::make_unique<module_>(module_{{1, 2}, 3.0F});
  s.many.resize(3);
  s.many[1] = std::make_unique<std::int32_t>(5);
  s.values = {1.5, -2, 3};
  for (const int i : {3, 9, 4, 1}) s.queue.push(i);
  const float weights[]{1, 2, 3, 4};
  s.tensors.add<float>("layer.0.weight", weights, {2, 2});
  s.tensors.add("half", tidemark::dtype::f16, {3, 0});
  s.tensors.add("flag", tidemark::dtype::u8, {});
  return s;
}

struct tree {
  std::int32_t value = 0;
  std::vector<tree> below;
  std::map<std::string, tree> named;
  std::string text;
  // Not defaulted: clang then asks, before the class is complete, whether a tree has a default constructor, and remembers that it has none.
  friend bool operator==(const tree& a, const tree& b) { return a.value == b.value && a.below == b.below && a.named == b.named && a.text == b.text; }
};
struct trees {
  tree alone;
  std::vector<tree> forest;
  std::map<std::string, tree> groves;
  friend bool operator==(const trees&, const trees&) = default;
};
inline trees sample_of_trees() {
  trees s;
  const auto leaf = [](std::int32_t value) {
    tree t;
    t.value = value;
    t.text = "leaf";
    return t;
  };
  s.alone.below = {leaf(1), leaf(2)};
  s.alone.below[1].named["a.b"] = leaf(3);
  s.forest = {leaf(4), s.alone, {}};
  s.groves["g"] = s.alone;
  return s;
}

/// What its second version, below, must read for ever.
struct first_version {
  struct layer {
    std::vector<float> w;
    std::int32_t width = 0;
  };
  static constexpr std::string_view checkpoint_name = "versioned";
  std::int32_t step = 0;
  float lr = 0;
  std::vector<row> rows;
  std::vector<layer> layers;
  std::map<std::int32_t, float> table;
  tree packed;
  std::string dropped = "d";
  friend bool operator==(const first_version& a, const first_version& b) { return a.step == b.step && a.lr == b.lr && a.rows == b.rows && a.table == b.table && a.packed == b.packed; }
};
inline first_version sample_of_first_version() {
  first_version s;
  s.step = 77;
  s.lr = 0.25F;
  s.rows = {{1, {0.5F, 1}, "a"}, {2, {1.5F, 2}, ""}};
  s.layers.resize(2);
  s.layers[1].w = {1, 2};
  s.layers[1].width = 9;
  s.table = {{1, 0.5F}, {2, 1.5F}};
  s.packed = sample_of_trees().alone;
  return s;
}
struct second_version {
  struct layer {
    static constexpr std::uint32_t checkpoint_version = 2;
    static constexpr tidemark::renamed_path renamed[] = {{"w", "weight"}};
    std::vector<double> weight;
    float added = 0.5F;
  };
  struct optimizer_state {
    double rate = 0;
  };
  static constexpr std::string_view checkpoint_name = "versioned";
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"lr", "optimizer.rate"}};
  std::int64_t step = 0;
  optimizer_state optimizer;
  std::vector<row> rows;
  std::vector<layer> layers;
  std::map<std::int64_t, double> table;
  tree packed;
  std::string note = "from none";
  static void migrate(second_version& now, const tidemark::stored_record& old) { now.note = "from " + old.read<std::string>("dropped"); }
};

/// Written by libstdc++. Others have other buckets and another order, so they read it, and write other bytes.
struct unordered {
  std::unordered_map<std::string, std::int32_t> words;
  std::unordered_set<std::int32_t> numbers;
  std::unordered_multimap<std::int32_t, std::string> pairs;
  std::unordered_multiset<std::int16_t> counts;
  std::vector<std::unordered_map<std::int32_t, float>> tables;
  std::unordered_map<std::string, module_> modules;
  friend bool operator==(const unordered&, const unordered&) = default;
};
inline unordered sample_of_unordered() {
  unordered s;
  s.words = {{"a", 1}, {"b.c", 2}, {"", 3}};
  s.numbers = {5, -7, 1000};
  s.pairs = {{1, "x"}, {1, "y"}, {2, "z"}};
  s.counts = {3, 3, 4};
  s.tables = {{{1, 0.5F}, {2, 1.5F}}, {}};
  s.modules["m"] = {{1, 2}, std::nullopt};
  s.modules["n"] = {{}, 4.0F};
  return s;
}

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
  f("containers", sample_of_containers(), tidemark::metadata_list{});
  f("owned", sample_of_owned(), tidemark::metadata_list{});
  f("trees", sample_of_trees(), tidemark::metadata_list{});
  f("first_version", sample_of_first_version(), tidemark::metadata_list{});
}
/// And for those whose bytes depend on the standard library.
template <class F>
void for_each_of_library(F&& f) {
  f("unordered", sample_of_unordered(), tidemark::metadata_list{});
}

}  // namespace golden
#endif
