// SPDX-License-Identifier: BSL-1.0
// tests/whole/write_standard_samples.cpp: the archives of write_samples.cpp that hold the standard's other classes, trees, versions and memory of the program.
#include <tidemark/tidemark.hpp>

#include <array>
#include <atomic>
#include <bitset>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <span>
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

void write_standard(const std::string& folder);

namespace {

using namespace std::string_literals;

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

struct pixel {
  std::int32_t id = 0;
  std::array<float, 2> at{};
  std::string label;
};
struct layer {
  std::vector<float> weight;
  std::optional<float> bias;
};

struct wide_numbers {
  std::byte raw{0xA5};
  std::vector<std::byte> raws{std::byte{1}, std::byte{255}};
  std::complex<float> c64{1.5F, -2.0F};
  std::complex<double> c128{0.1, -0.25};
  std::complex<long double> c160{-3.25L, 0.5L};
  std::vector<std::complex<float>> c64s{{1, 2}, {3, -4}};
  std::vector<std::array<std::complex<double>, 2>> c128s{{{{1, 2}, {3, 4}}}, {{{5, 6}, {7, 8}}}, {{{9, 10}, {11, 12}}}};
  std::vector<std::complex<long double>> c160s{{0.5L, -2.0L}};
  wide negative = -(wide{1} << 100) + 7;
  unsigned_wide huge = ~unsigned_wide{0};
  std::vector<wide> wides{-1, wide{1} << 64};
  std::array<std::array<unsigned_wide, 1>, 2> grid{{{{3}}, {{4}}}};
  std::atomic<std::int32_t> counter{-12};
  std::atomic<bool> flag{true};
  std::bitset<5> bits{0b10110};
  std::array<std::bitset<2>, 2> masks{std::bitset<2>{0b01}, std::bitset<2>{0b10}};
};

struct containers {
  std::set<std::int32_t> numbers{3, 1, 2};
  std::set<std::string> names{"b", "a"};
  std::multiset<std::int32_t> bag{2, 1, 2};
  std::multiset<std::string> texts{"x", "x"};
  std::set<std::vector<std::int32_t>> lists{{1, 2}, {}};
  std::deque<std::int64_t> queue_of{5, 6, 7};
  std::deque<bool> answers{true, false};
  std::list<pixel> pixels{{1, {2, 3}, "p"}, {4, {5, 6}, ""}};
  std::list<layer> layers{{{1}, 0.5F}, {{}, std::nullopt}};
  std::forward_list<std::string> links{"one", "two"};
  std::forward_list<std::array<std::uint8_t, 2>> pairs{{{1, 2}}, {{3, 4}}};
  std::valarray<double> samples{0.5, 1.5};
  std::u16string utf16 = u"\u00e9a";
  std::filesystem::path where = "run/last";
  std::vector<std::filesystem::path> files{"a", "b/c"};
  std::map<std::filesystem::path, layer> by_path{{"a.b", {{1}, std::nullopt}}};  // keys with a tag: no names are made from them
  std::stack<std::int32_t> depths;
  std::queue<std::string> tasks;
  std::priority_queue<std::int32_t> ranks;
  std::unique_ptr<std::int32_t> owned = std::make_unique<std::int32_t>(8);
  std::unique_ptr<layer> none;
  std::unique_ptr<layer> owned_layer = std::make_unique<layer>(layer{{7}, 1.0F});
  std::vector<std::unique_ptr<pixel>> owned_pixels;
  std::multimap<std::int32_t, std::string> many{{1, "one"}, {1, "uno"}, {2, "two"}};
  std::multimap<std::string, layer> many_layers{{"k.x", {{1}, 0.5F}}, {"k.x", {{2}, std::nullopt}}};
  std::multimap<std::string, std::vector<float>> many_arrays{{"k", {1}}, {"k", {2, 3}}};
  std::vector<std::multimap<bool, std::int32_t>> columns{{{true, 1}, {true, 2}}, {}};
  std::int32_t three[3] = {1, 2, 3};
  double square[2][2] = {{1, 2}, {3, 4}};
  pixel two_pixels[2] = {{1, {2, 3}, "a"}, {2, {4, 5}, "b"}};
  layer two_layers[2] = {{{1}, std::nullopt}, {{2}, 3.0F}};
  char letters[4] = {'o', 'k'};
  std::string words[2][1] = {{"w"}, {"v"}};
};
containers sample_of_containers() {
  containers c;
  for (const std::int32_t n : {4, 5, 6}) c.depths.push(n);
  for (const char* s : {"first", "second"}) c.tasks.push(s);
  for (const std::int32_t n : {7, 9, 8}) c.ranks.push(n);
  c.owned_pixels.push_back(std::make_unique<pixel>(pixel{1, {2, 3}, "o"}));
  c.owned_pixels.push_back(nullptr);
  return c;
}

/// Of 97 buckets, which both libstdc++ and libc++ take as they are: they iterate from the element that was inserted last.
template <class C>
C hashed_of(std::initializer_list<typename C::value_type> elements, float load = 1) {
  C c;
  c.max_load_factor(load);
  c.rehash(97);
  for (const auto& e : elements) c.insert(e);
  return c;
}

struct hashed {
  using ids = std::unordered_set<std::int32_t>;
  using words = std::unordered_map<std::int32_t, std::string>;

  ids set = hashed_of<ids>({30, 10, 20}, 0.5F);
  std::unordered_set<std::string> names = hashed_of<std::unordered_set<std::string>>({"a", "b"});
  std::unordered_multiset<std::int32_t> bag = hashed_of<std::unordered_multiset<std::int32_t>>({4, 5, 5});
  words texts = hashed_of<words>({{1, "one"}, {2, "two"}}, 2);
  std::unordered_map<std::int32_t, pixel> pixels = hashed_of<std::unordered_map<std::int32_t, pixel>>({{7, {1, {2, 3}, "p"}}});
  std::unordered_map<std::string, std::vector<float>> state = hashed_of<std::unordered_map<std::string, std::vector<float>>>({{"a.w", {1, 2}}, {"b", {}}});
  std::unordered_map<std::string, layer> layers = hashed_of<std::unordered_map<std::string, layer>>({{"l.0", {{1}, 0.5F}}});
  std::unordered_map<std::int32_t, layer> numbered = hashed_of<std::unordered_map<std::int32_t, layer>>({{-1, {{1}, std::nullopt}}});
  std::unordered_multimap<std::int32_t, float> many = hashed_of<std::unordered_multimap<std::int32_t, float>>({{9, 2}, {8, 1}, {8, 1}});
  std::unordered_multimap<std::string, layer> many_layers = hashed_of<std::unordered_multimap<std::string, layer>>({{"m", {{4}, std::nullopt}}});
  std::vector<ids> sets;
  std::array<words, 2> both;
  std::map<std::string, ids> named;
  std::map<std::int32_t, ids> numbered_sets;
  std::optional<words> maybe;
  std::optional<ids> maybe_set = hashed_of<ids>({9});
  std::vector<std::optional<ids>> maybes;
  std::vector<std::vector<std::unordered_set<std::string>>> nested;
};
hashed sample_of_hashed() {
  hashed h;
  h.sets.push_back(hashed_of<hashed::ids>({1, 2}));
  h.sets.push_back(hashed_of<hashed::ids>({}, 4));
  h.both[0] = hashed_of<hashed::words>({{1, "x"}});
  h.both[1] = hashed_of<hashed::words>({{3, "z"}, {2, "y"}}, 3);
  h.named.emplace("n.m", hashed_of<hashed::ids>({5}));
  h.numbered_sets.emplace(6, hashed_of<hashed::ids>({7, 8}));
  h.maybe.emplace(hashed_of<hashed::words>({{1, "m"}}));
  h.maybes.emplace_back();
  h.maybes.emplace_back(hashed_of<hashed::ids>({3}));
  h.nested.emplace_back();
  h.nested[0].push_back(hashed_of<std::unordered_set<std::string>>({"t"}));
  h.nested[0].push_back(hashed_of<std::unordered_set<std::string>>({}));
  return h;
}

struct tree {
  std::int32_t value = 0;
  std::vector<tree> children;
  std::map<std::string, tree> named;
};
tree grown(std::int32_t value) {
  tree t;
  t.value = value;
  t.children.emplace_back().value = value + 1;
  t.children[0].children.emplace_back().value = value + 2;
  t.named["left"].value = value + 3;
  return t;
}
tree leaf(std::int32_t value) {
  tree t;
  t.value = value;
  return t;
}

// Two types that contain each other, and the second also itself.
struct branch;
struct fork {
  std::vector<branch> branches;
  std::int8_t id = 0;
};
struct branch {
  std::unique_ptr<fork> end;
  std::vector<branch> twigs;
  std::string name;
};
fork sample_of_forks() {
  fork f;
  f.id = 1;
  f.branches.resize(2);
  f.branches[0].name = "a";
  f.branches[0].twigs.resize(1);
  f.branches[0].twigs[0].name = "aa";
  f.branches[0].twigs[0].end = std::make_unique<fork>();
  f.branches[0].twigs[0].end->id = 2;
  f.branches[0].twigs[0].end->branches.resize(1);
  f.branches[0].twigs[0].end->branches[0].name = "last";
  f.branches[1].name = "b";
  return f;
}

class metres {
 public:
  static constexpr std::string_view checkpoint_name = "metres";
  metres(double value = 0) : value_(value) {}
  double snapshot() const { return value_; }
  void restore(double value) { value_ = value; }

 private:
  double value_;
};

// Every kind in a packed value. The names fall, so that the order of the bytes is not that of the members.
struct node {
  static constexpr std::string_view checkpoint_name = "node";
  static constexpr std::uint32_t checkpoint_version = 3;
  bool z_bool = true;
  std::string y_text = "text";
  std::vector<float> x_array{1, 2};
  std::array<std::array<std::int16_t, 2>, 2> w_fixed{{{{1, 2}}, {{3, 4}}}};
  std::optional<std::int8_t> v_some = std::int8_t{-1};
  std::optional<std::int8_t> u_none;
  std::variant<std::int32_t, std::string> t_variant = "v";
  std::tuple<std::uint8_t, std::string> s_tuple{5, "t"};
  std::map<std::int32_t, std::string> r_map{{1, "a"}, {2, "b"}};
  hashed::ids q_hashed = hashed_of<hashed::ids>({1, 2}, 0.5F);
  std::unordered_multimap<std::int32_t, std::string> p_multi = hashed_of<std::unordered_multimap<std::int32_t, std::string>>({{3, "c"}, {3, "c"}});
  std::array<std::string, 2> o_texts{"f", "g"};
  long double n_wide = -3.25L;
  std::complex<long double> m_complex{0.5L, -2.0L};
  wide l_integer = -2;
  std::vector<pixel> k_rows{{1, {2, 3}, "r"}};
  metres j_tagged = 42.5;
  std::vector<metres> i_tagged{0.5};
  pixel h_rows[2] = {{2, {4, 5}, "s"}, {3, {6, 7}, ""}};
  std::set<std::string> g_set{"k"};
  std::bitset<3> f_bits{0b011};
  std::vector<long double> e_wides{1.0L};
  std::multimap<std::string, float> d_many{{"m", 1.0F}, {"m", 2.0F}};
  std::complex<double> c_complex{1, -1};
  tree b_inner = grown(50);
  std::unique_ptr<node> a_next;
};

/// What hands out a tree as its state.
class planted {
 public:
  planted(std::int32_t value = 0) : root_(leaf(value)) {}
  tree snapshot() const { return root_; }
  void restore(const tree& t) { root_ = t; }

 private:
  tree root_;
};

struct planted_layer {  // a module with a tree: its keys keep their dots
  std::vector<float> weight;
  tree shape;
};

struct trees {
  tree alone = grown(1);
  std::vector<tree> many{leaf(10), grown(11)};
  std::map<std::string, tree> named{{"a.b", leaf(20)}, {"c", grown(21)}};
  std::map<std::int32_t, tree> numbered{{-1, leaf(25)}};
  std::optional<tree> maybe = leaf(30), absent;
  std::vector<std::optional<tree>> maybes{std::nullopt, leaf(31)};
  std::variant<std::int32_t, tree> one_of = leaf(32);
  std::array<tree, 2> two{leaf(33), leaf(34)};
  std::vector<std::vector<tree>> table{{leaf(35)}, {}};
  std::pair<tree, std::int32_t> with{leaf(36), 37};
  std::unique_ptr<tree> owned = std::make_unique<tree>(leaf(38));
  planted garden{39};
  std::map<std::string, planted_layer> layers{{"l.0", {{1}, leaf(40)}}};
  fork forks = sample_of_forks();
  node everything;
  std::vector<fork> no_forks;
};
trees sample_of_trees() {
  trees t;
  t.everything.a_next = std::make_unique<node>();
  t.everything.a_next->z_bool = false;
  return t;
}
/// As deep as it may be.
tree chain(int nodes) {
  tree t = leaf(nodes);
  for (int n = nodes - 1; n > 0; --n) {
    tree above = leaf(n);
    above.children.push_back(std::move(t));
    t = std::move(above);
  }
  return t;
}

struct clocked {
  std::uint64_t ticks = 0;
};
class engine : public clocked {
  std::int16_t grid_[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::string name_ = "private";
  [[maybe_unused]] std::int32_t unlisted_ = 5;

 public:
  engine() { ticks = 77; }
  static constexpr auto checkpoint_members = tidemark::members(tidemark::member("grid", &engine::grid_), tidemark::member("title", &engine::name_),
                                                               tidemark::member("clocked", tidemark::base<clocked>));
};
struct shortened {
  std::int32_t kept = 1;
  std::vector<float> cache{9, 9};
  std::int32_t kept_too = 2;
  void* last = nullptr;
  static constexpr auto checkpoint_skip = tidemark::members(&shortened::cache, &shortened::last);
};
struct partial {
  tidemark::transient<std::vector<float>> scratch{{9}};
  float kept = 0.5F;
  tidemark::transient<std::int32_t*> handle;
};
struct second_version {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int32_t value = 4;
};
struct tenth_version {
  static constexpr std::string_view checkpoint_name = "tenth";
  static constexpr std::uint32_t checkpoint_version = 4294967295;
  std::vector<float> values;
};

struct sample {  // rows, though they hold arrays
  std::vector<float> values;
  std::string label;
  layer part;
  std::map<std::string, std::vector<std::int32_t>> extra;
};
struct dated_sample {
  static constexpr std::string_view checkpoint_name = "dated";
  static constexpr std::uint32_t checkpoint_version = 2;
  std::vector<std::uint16_t> values;
};

}  // namespace

template <>
inline constexpr bool tidemark::as_rows<sample> = true;
template <>
inline constexpr bool tidemark::as_rows<dated_sample> = true;

namespace {

struct classes {
  engine listed;
  std::vector<engine> many_listed = std::vector<engine>(2);
  shortened skipping;
  partial transients;
  std::vector<partial> many_transients{{{{9}}, 1.5F, {}}, {{{}}, 2.5F, {}}};
  second_version second;
  std::vector<second_version> seconds{{5}, {6}};
  std::vector<tenth_version> tenths{{{1}}, {{2, 3}}};
  sample alone{{1, 2}, "s", {{3}, 4.0F}, {{"k.l", {5}}}};
  std::vector<sample> rows{{{1}, "a", {{2, 3}, std::nullopt}, {{"k", {4, 5}}, {"l", {}}}}, {{}, "", {{}, 6.0F}, {}}};
  std::map<std::string, sample> named{{"a.b", {{7}, "n", {}, {}}}};
  std::optional<sample> maybe = sample{{8}, "o", {}, {}};
  std::vector<std::pair<sample, std::int32_t>> inside{{{{9}, "i", {}, {}}, 10}};  // modules again: a pair has no `#`
  std::vector<dated_sample> dated{{{1}}, {{2, 3}}};
};

struct borrowed {
  struct part {
    tidemark::array_ref<float, 2> weight;
    std::span<double> bias;
  };

  tidemark::array_ref<float, 2> dense;
  tidemark::array_ref<float, 2> strided;
  tidemark::array_ref<std::complex<double>, 2> complexes;
  tidemark::array_ref<std::array<std::int16_t, 2>, 3> pairs;
  std::span<double> span;
  std::span<std::uint8_t, 3> fixed_span;
  std::vector<part> parts;
  std::map<std::string, tidemark::array_ref<float>> named;
  std::map<std::string, tidemark::array_ref<float, 2>> matrices;
  tidemark::named_tensors extra;
  tidemark::named_tensors none;
};

template <class T>
void write(const std::string& folder, const char* name, const T& state) {
  tidemark::save(state, folder + '/' + name + ".safetensors");
}

void write_borrowed(const std::string& folder) {
  std::array<float, 12> floats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::array<double, 4> doubles{0.5, 1.5, 2.5, 3.5};
  std::array<std::uint8_t, 3> bytes{7, 8, 9};
  std::array<std::complex<double>, 2> complexes{{{1, 2}, {3, 4}}};
  std::array<std::array<std::int16_t, 2>, 2> pairs{{{{1, 2}}, {{3, 4}}}};
  borrowed b{
      .dense = {floats.data(), {2, 3}},
      .strided = {floats.data(), {2, 3}, {1, 4}},  // column-major, with a gap behind each column of 2
      .complexes = {complexes.data(), {1, 2}},
      .pairs = {pairs.data(), {2, 1, 1}},
      .span = std::span(doubles).first(3),
      .fixed_span = std::span(bytes),
      .parts = {},
      .named = {},
      .matrices = {},
      .extra = {},
      .none = {},
  };
  b.parts.push_back({.weight = {floats.data() + 6, {1, 2}}, .bias = std::span(doubles).subspan(3)});
  b.parts.push_back({.weight = {floats.data() + 8, {0, 5}}, .bias = {}});
  b.named["a.b"] = {floats.data() + 9, {3}};
  b.named["every second"] = {floats.data(), {2}, {2}};
  b.matrices["m.n"] = {floats.data(), {1, 1}};
  b.extra.add<float>("layer.0#w", std::span<const float>(floats).first(4), {2, 2});
  b.extra.add("scalar", tidemark::dtype::i64, {});
  b.extra.get<std::int64_t>("scalar")[0] = -5;
  b.extra.add("nothing", tidemark::dtype::f16, {3, 0});
  b.extra.view("view", tidemark::array_ref{doubles.data(), {2, 2}});
  write(folder, "borrowed", b);
  tidemark::named_tensors root;
  root.add<float>("x.y", std::span<const float>(floats).first(1));
  root.add<std::uint8_t>("__metadata__", bytes);
  write(folder, "root_named", root);
  write(folder, "root_matrix", tidemark::array_ref{floats.data(), {2, 2}});
}

}  // namespace

void write_standard(const std::string& folder) {
  write(folder, "wide_numbers", wide_numbers{});
  write(folder, "containers", sample_of_containers());
  write(folder, "hashed", sample_of_hashed());
  write(folder, "trees", sample_of_trees());
  write(folder, "classes", classes{});
  write(folder, "root_tree", grown(1));
  tidemark::save(chain(250), folder + "/deepest");  // no more levels may be in one another
  write(folder, "root_set", std::set<std::string>{"b", "a"});
  write(folder, "root_hashed", hashed_of<std::unordered_map<std::string, std::int32_t>>({{"k", 1}}));
  write_borrowed(folder);
}
