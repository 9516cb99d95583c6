// SPDX-License-Identifier: BSL-1.0
// tests/whole/write_samples.cpp: writes archives that hold every kind in every place; `verify PATH` checks the digests of one.
//
//   write_samples write FOLDER     one file for each group below; tests/whole/python_reader.test.py knows what they must hold
//   write_samples verify PATH      exit status 0 and "verified", or 1 and the error
//   write_samples flip PATH        flips every bit of the file, one at a time, and prints those that `load` and `verify` accept
#include <tidemark/tidemark.hpp>

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

void write_standard(const std::string& folder);  // write_standard_samples.cpp

namespace {

struct half {
  std::uint16_t bits = 0;
};

}  // namespace

template <>
inline constexpr auto tidemark::dtype_of<half> = tidemark::dtype::f16;

namespace {

using namespace std::string_literals;

struct nothing {};
struct row {
  std::int32_t id = 0;
  std::array<float, 2> at{};
  std::string label;
};
struct module {
  std::vector<float> weight;
  std::optional<float> bias;
  friend auto operator<=>(const module&, const module&) = default;
};

class length {  // a scalar with a tag: an array of it is a sequence
 public:
  static constexpr std::string_view checkpoint_name = "metres";
  length(double metres = 0) : metres_(metres) {}
  double snapshot() const { return metres_; }
  void restore(double metres) { metres_ = metres; }

 private:
  double metres_;
};
class untitled {  // the same without a name of its own
 public:
  untitled(float value = 0) : value_(value) {}
  float snapshot() const { return value_; }
  void restore(float value) { value_ = value; }

 private:
  float value_;
};
class journey {  // two tags, one inside the other
 public:
  static constexpr std::string_view checkpoint_name = "journey<a,b>";  // brackets and commas in a tag open and part nothing
  length snapshot() const { return {42.5}; }
  void restore(const length&) {}
};
struct titled {
  static constexpr std::string_view checkpoint_name = "titled";
  std::int32_t id = 0;
};

// The archive that docs/format.md dumps.
struct small {
  std::uint64_t step = 3;
  std::vector<float> weights{0.5F, -1.0F};
  std::string name = "tide";
  std::optional<double> best;
};

enum class color : std::uint8_t { red, green };

struct scalars {
  bool yes = true;
  char letter = 'A';
  char8_t utf8 = u8'b';
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
  long double f80 = -3.25L;
  half f16{0x3E00};
  color paint = color::green;
  std::chrono::milliseconds wait{1500};
  std::chrono::duration<double> exact{0.25};
  std::chrono::sys_time<std::chrono::seconds> when{std::chrono::seconds{1700000000}};
};

struct arrays {
  std::string text = "caf\u00e9 \"x\"\n";
  std::string bytes = "\xff\0z"s;
  std::vector<float> floats{1, 2, 3};
  std::vector<float> none;
  std::vector<char> chars{'h', 'i'};
  std::vector<bool> bits{true, false, true};
  std::vector<long double> wide{0.5L, -2.0L};
  std::vector<color> paints{color::green, color::red};
  std::vector<std::chrono::milliseconds> waits{std::chrono::milliseconds{5}, std::chrono::milliseconds{7}};
  std::array<std::array<double, 3>, 2> matrix{{{1, 2, 3}, {4, 5, 6}}};
  std::vector<std::array<std::int16_t, 2>> pairs{{1, 2}, {3, 4}, {5, 6}};
  std::array<float, 0> empty{};
};

struct structures {
  std::optional<int> present = 7, absent;
  std::optional<std::string> word = "w";
  std::optional<std::optional<int>> inner_absent{std::optional<int>{}}, both_present{std::optional<int>{5}};
  std::optional<module> part = module{{1, 2}, std::nullopt};
  std::optional<std::map<std::int32_t, float>> table{{{4, 0.5F}}};
  std::variant<std::int32_t, std::string, module> choice = module{{9}, 3.0F};
  std::variant<std::monostate, float> nil;
  std::optional<std::variant<bool, std::uint16_t>> maybe_one_of{std::uint16_t{12}};
  std::tuple<std::uint8_t, std::string, std::vector<double>> triple{1, "two", {3.0}};
  std::pair<bool, std::tuple<>> couple{true, {}};
  nothing empty;
  row nested{3, {1, 2}, "n"};
  std::optional<std::vector<module>> parts{{{{1}, std::nullopt}}};
  std::optional<std::vector<nothing>> voids{std::vector<nothing>(3)};
  journey way;
  untitled plain = 1.5F;
  titled own{4};
};

struct sequences {
  std::vector<row> rows;
  std::vector<module> modules;
  std::vector<std::string> words;
  std::vector<std::vector<float>> ragged;
  std::vector<std::vector<std::array<std::uint8_t, 2>>> ragged_pairs;
  std::vector<std::vector<std::string>> lists;
  std::vector<std::vector<module>> grid;
  std::vector<std::optional<std::string>> maybe;
  std::vector<std::variant<std::int32_t, std::string>> mixed;
  std::vector<std::variant<module, std::int32_t>> parts;
  std::vector<std::map<std::string, std::int32_t>> maps;
  std::vector<std::map<std::int32_t, std::string>> texts;
  std::vector<nothing> nothings;
  std::vector<std::vector<nothing>> nested_nothings;
  std::array<std::optional<std::int32_t>, 3> fixed;
  std::vector<std::array<std::string, 2>> sided;
  std::vector<std::pair<std::int32_t, bool>> couples;
  std::vector<std::vector<bool>> flags;
  std::vector<std::tuple<nothing, std::string>> shy;
  std::vector<std::array<std::vector<nothing>, 2>> fixed_voids;
  std::vector<std::vector<std::array<nothing, 2>>> void_pairs;
  std::vector<untitled> plain;
  std::vector<std::vector<untitled>> ragged_plain;
  std::vector<titled> titles;
  std::vector<row> no_rows;
};
sequences sample_of_sequences() {
  return {
      .rows = {{1, {0.5F, 1}, "a"}, {2, {1.5F, 2}, ""}, {3, {2.5F, 3}, "ccc"}},
      .modules = {{{1}, 0.5F}, {{2, 3}, std::nullopt}},
      .words = {"one", "", "three"},
      .ragged = {{1, 2}, {}, {3}},
      .ragged_pairs = {{{1, 2}, {3, 4}}, {{5, 6}}},
      .lists = {{"a", "b"}, {}, {"c"}},
      .grid = {{{{1}, std::nullopt}}, {}},
      .maybe = {"x", std::nullopt, "z"},
      .mixed = {1, "s", 2},
      .parts = {module{{7}, std::nullopt}, 8},
      .maps = {{{"k", 1}, {"l", 2}}, {}, {{"m", 3}}},
      .texts = {{{1, "i"}}, {{2, "ii"}, {3, "iii"}}},
      .nothings = std::vector<nothing>(5),
      .nested_nothings = {std::vector<nothing>(2), {}},
      .fixed = {1, std::nullopt, 3},
      .sided = {{"a", "b"}, {"c", "d"}, {"e", "f"}},
      .couples = {{1, true}, {2, false}},
      .flags = {{true}, {false, true}},
      .shy = {{nothing{}, "s"}, {nothing{}, "t"}},
      .fixed_voids = {{std::vector<nothing>(2), {}}},
      .void_pairs = {std::vector<std::array<nothing, 2>>(2), {}},
      .plain = {1.5F, 2.5F},
      .ragged_plain = {{0.5F}, {}},
      .titles = {{8}, {9}},
      .no_rows = {},
  };
}

// A root that is a tuple; sequences with an extent.
using fixed_sequences = std::tuple<std::array<module, 2>, std::array<std::array<std::string, 2>, 2>>;
fixed_sequences sample_of_fixed_sequences() { return {{{{{4}, std::nullopt}, {{}, 1.0F}}}, {{{{"a", "b"}}, {{"c", "d"}}}}}; }

struct deep {
  std::vector<float> v;
  std::pair<module, std::vector<float>> inner;  // the path `inner.0.weight`, and `v`
};
struct shadowed {  // `at.weight` ends, after a dot, in `weight`: two keys could give one name
  struct module at;
  std::vector<float> weight;
};

struct scaled {  // as an optional: with the dots kept, the keys `x` and `x.scale` would both ask for `x.scale#has`
  std::vector<float> values;
  std::optional<float> scale;
};

struct maps {
  std::map<std::string, std::vector<float>> state;
  std::map<std::string, module> named;
  std::map<std::string, shadowed> escaped;
  std::map<std::string, deep> deeps;
  std::map<std::string, std::vector<module>> lists;
  std::map<std::int32_t, module> numbered;
  std::map<std::int32_t, double> table;
  std::map<std::string, std::string> words;
  std::map<std::pair<std::int32_t, std::int32_t>, row> grid;
  std::map<std::string, std::optional<std::int32_t>> maybe;
  std::map<bool, std::string> words_of;
  std::map<std::vector<std::int32_t>, float> by_vector;
  std::map<std::string, std::map<std::string, std::vector<float>>> nested;
  std::map<std::string, float> none;
  std::map<std::int32_t, nothing> set;
  std::map<std::string, std::vector<length>> lengths;
  std::map<std::string, std::vector<untitled>> plain;
  std::map<std::string, std::optional<scaled>> partly;
  std::map<std::optional<std::array<std::variant<module, std::int32_t>, 2>>, float> by_parts;
};
maps sample_of_maps() {
  return {
      .state = {{"layer.0.weight", {1, 2}}, {"a#b%c\n", {3}}, {"\xff", {}}, {"", {4}}, {"\u00e9", {5}}},
      .named = {{"enc.0", {{1}, 0.5F}}, {"enc.1", {{2}, std::nullopt}}},
      .escaped = {{"x", {{{1}, std::nullopt}, {2}}}, {"x.at", {{{3}, std::nullopt}, {4}}}},
      .deeps = {{"k.1", {{1}, {{{2}, 3.0F}, {4}}}}},
      .lists = {{"a.b", {{{1}, std::nullopt}}}},
      .numbered = {{-5, {{1}, std::nullopt}}, {9, {{2}, std::nullopt}}},
      .table = {{1, 0.5}, {2, 1.5}},
      .words = {{"a", "x"}, {"b.c", ""}},
      .grid = {{{0, 1}, {7, {1, 2}, "r"}}},
      .maybe = {{"n", std::nullopt}, {"y", 4}},
      .words_of = {{false, "no"}, {true, "yes"}},
      .by_vector = {{{1, 2}, 0.5F}, {{3}, 1.5F}},
      .nested = {{"o.p", {{"q.r", {1}}}}},
      .none = {},
      .set = {{1, {}}, {2, {}}},
      .lengths = {{"a.b", {1.5, 2.5}}, {"c", {}}},
      .plain = {{"a.b", {1.5F, 2.5F}}, {"c", {}}},
      .partly = {{"x", scaled{{1}, 2.0F}}, {"x.scale", scaled{{3}, std::nullopt}}, {"y", std::nullopt}},
      .by_parts = {{std::nullopt, 0.5F}, {{{module{{1, 2}, 3.0F}, 4}}, 1.5F}},
  };
}

struct trainer {
  std::uint64_t step = 7;
  std::vector<float> weights{0.25F, 0.5F};
  std::mt19937_64 rng{42};
  std::normal_distribution<float> noise{1, 2};
  tidemark::shuffled_sampler order{10, 3};
  std::vector<std::minstd_rand> engines{std::minstd_rand{5}, std::minstd_rand{6}};
};

struct odd_names {
  std::uint32_t __metadata__ = 5;
  std::uint32_t tidemark = 6;
};

struct blocks {
  std::vector<std::uint8_t> two = std::vector<std::uint8_t>((std::size_t{16} << 20) + 5, std::uint8_t{7});
};

template <class T>
void write(const std::string& folder, const char* name, const T& state, const tidemark::metadata_list& metadata = {}) {
  tidemark::save(state, folder + '/' + name + ".safetensors", {.metadata = metadata});
}

void write_all(const std::string& folder) {
  write(folder, "small", small{});
  write(folder, "scalars", scalars{});
  write(folder, "arrays", arrays{}, {{"step", "12"}, {"note", "line\n\"two\"\r\t\x1b"}});
  write(folder, "structures", structures{});
  write(folder, "sequences", sample_of_sequences());
  write(folder, "maps", sample_of_maps());
  write(folder, "trainer", trainer{});
  write(folder, "odd_names", odd_names{});
  write(folder, "nothing", nothing{});
  write(folder, "root_scalar", 2.5);
  write(folder, "root_text", "root"s);
  write(folder, "root_rows", sample_of_sequences().rows);
  write(folder, "root_modules", sample_of_sequences().modules);
  write(folder, "root_map", std::map<std::string, std::vector<float>>{{"a.b", {1}}, {"__metadata__", {2}}});
  write(folder, "root_optional", std::optional<row>{row{1, {2, 3}, "o"}});
  write(folder, "root_tuple", sample_of_fixed_sequences());
  write(folder, "blocks", blocks{});
  write_standard(folder);
}

template <class F>
bool accepts(F&& read) {
  try {
    read();
    return true;
  } catch (const tidemark::error&) {
    return false;
  }
}

int flip_all(const char* path) {
  const auto original = tidemark::file_source(path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(original.size()));
  original.read(0, bytes);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= std::byte{1} << bit;
      const tidemark::memory damaged{bytes};
      if (accepts([&] { static_cast<void>(tidemark::load<small>(damaged)); }) || accepts([&] { tidemark::verify(damaged); })) {
        std::printf("byte %zu, bit %d is covered by no digest\n", i, bit);
        ++accepted;
      }
      bytes[i] ^= std::byte{1} << bit;
    }
  }
  std::printf("%zu of %zu flipped bits accepted\n", accepted, bytes.size() * 8);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[1] : "";
  try {
    if (mode == "write") {
      write_all(argv[2]);
      return 0;
    }
    if (mode == "verify") {
      const tidemark::load_report report = tidemark::verify(std::string(argv[2]));
      std::printf("%s\n", report.has_digests ? "verified" : "no digests");
      return report.has_digests ? 0 : 1;
    }
    if (mode == "flip") return flip_all(argv[2]);
  } catch (const tidemark::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "usage: write_samples write FOLDER | verify PATH | flip PATH\n");
  return 2;
}
