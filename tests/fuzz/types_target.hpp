// SPDX-License-Identifier: BSL-1.0
// fuzz/types_target.hpp: a file that may be anything, loaded and restored as the standard's other containers, trees, tensors by name and cereal's blobs.
#ifndef TIDEMARK_TESTS_FUZZ_TYPES_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_TYPES_TARGET_HPP

#include "archive/samples.hpp"
#include "forge.hpp"
#include "outcome.hpp"

#include <tidemark/cereal.hpp>

#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <bitset>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <vector>

namespace fuzz {

enum class ranged : std::uint8_t { low = 1, high = 3 };

struct tree {
  std::int32_t value = 0;
  std::vector<tree> below;
  std::unordered_map<std::string, std::int16_t> notes;
  std::unique_ptr<tree> next;
  std::optional<float> weight;
};
struct wide_row {
  std::int32_t id = 0;
  std::vector<float> marks;
};
struct by_cereal {
  std::vector<std::string> words;
  std::map<std::int32_t, double> table;
  std::shared_ptr<std::int32_t> first, second;
  template <class A>
  void serialize(A& a) { a(words, CEREAL_NVP(table), first, second); }
};

/// What is unordered has a name in u_: a hostile number of buckets or order of keys is not kept as it was.
struct typed_state {
  std::unordered_map<std::string, std::int32_t> u_map;
  std::unordered_set<std::int32_t> u_set;
  std::unordered_multimap<std::int32_t, std::string> u_multi;
  std::unordered_multiset<std::int16_t> u_counts;
  std::vector<std::unordered_map<std::int32_t, std::string>> u_rows;
  std::map<std::string, std::unordered_set<std::int32_t>> u_named;
  std::unordered_map<std::string, samples::module_> u_modules;
  std::set<std::string> names;
  std::multiset<std::int16_t> counts;
  std::multimap<std::string, samples::row> pairs;
  std::list<samples::module_> layers;
  std::forward_list<std::int32_t> chain;
  std::unique_ptr<samples::row> one;
  std::unique_ptr<samples::module_> part;
  std::vector<std::unique_ptr<std::int32_t>> many;
  tree u_root;
  std::vector<tree> u_forest;
  std::map<std::string, tree> u_trees;
  std::bitset<11> bits;
  std::vector<std::bitset<3>> masks;
  std::complex<float> single;
  std::vector<std::complex<double>> doubles;
  std::valarray<double> values;
  std::priority_queue<std::int32_t> queue;
  std::filesystem::path place;
  std::vector<std::filesystem::path> places;
  std::int32_t grid[2][3]{};
  char label[8]{};
  tidemark::named_tensors extra;
  std::optional<tidemark::named_tensors> more;
  ranged mode = ranged::low;
  std::vector<ranged> modes;
  std::vector<wide_row> rows;
  by_cereal blob;
};

}  // namespace fuzz

template <>
inline constexpr tidemark::enumerators<fuzz::ranged> tidemark::enum_range<fuzz::ranged>{fuzz::ranged::low, fuzz::ranged::high};
template <>
inline constexpr bool tidemark::as_rows<fuzz::wide_row> = true;
template <>
inline constexpr bool tidemark::use_cereal<fuzz::by_cereal> = true;

namespace fuzz {

inline tree sample_tree(int levels) {
  tree t;
  t.value = levels;
  t.notes = {{"a", 1}, {"b", static_cast<std::int16_t>(levels)}};
  if (levels > 0) {
    t.below.push_back(sample_tree(levels - 1));
    t.below.push_back(sample_tree(0));
    t.next = std::make_unique<tree>(sample_tree(levels / 2));
    t.weight = 0.5F;
  }
  return t;
}

/// Everything holds something; another `seed` makes others.
inline typed_state sample_typed(int seed = 0) {
  typed_state s;
  s.u_map = {{"a", 1}, {"b.c", 2}, {"d", seed}};
  s.u_set = {5, -7, 1000, seed};
  s.u_multi.insert({{1, "x"}, {1, "y"}, {2, "z"}});
  s.u_counts = {3, 3, 4};
  s.u_rows = {{{1, "one"}, {2, ""}}, {}, {{seed, "s"}}};
  s.u_named = {{"a.b", {1, 2}}, {"c", {}}};
  s.u_modules["m"] = {{1, 2}, {{1, 2}}, {}};
  s.names = {"", "n", "o"};
  s.counts = {1, 1, 2};
  s.pairs.emplace("k", samples::row{1, 2, "ab", 3.F, {}});
  s.pairs.emplace("k", samples::row{2, 3, "", {}, {}});
  s.layers.resize(2);
  s.layers.back().weight = {4};
  s.chain = {1, 2, 3};
  s.one = std::make_unique<samples::row>();
  if (seed % 2 == 0) s.part = std::make_unique<samples::module_>();
  s.many.resize(3);
  s.many[1] = std::make_unique<std::int32_t>(seed);
  s.u_root = sample_tree(2);
  s.u_forest.resize(3);
  s.u_forest[1] = sample_tree(1);
  s.u_trees["t"] = sample_tree(1);
  s.bits = 0x2A5U;
  s.masks = {1U, 7U};
  s.single = {1, -2};
  s.doubles = {{1, 2}, {3, 4}};
  s.values = {1, 2, 3};
  for (const int i : {3, 9, 4, seed}) s.queue.push(i);
  s.place = "a/b";
  s.places = {"x", ""};
  s.grid[1][2] = seed;
  s.label[0] = 'l';
  const std::int32_t numbers[]{1, 2, seed};
  s.extra.add<std::int32_t>("a.weight", numbers);
  s.extra.add("b", tidemark::dtype::f16, {2, 3});
  s.extra.add("c", tidemark::dtype::u8, {0});
  if (seed % 2 == 0) s.more.emplace().add("f", tidemark::dtype::f64, {});
  s.mode = ranged::high;
  s.modes = {ranged::low, ranged::high};
  s.rows = {{1, {1, 2}}, {2, {}}};
  s.blob.words = {"w", ""};
  s.blob.table = {{1, 2.5}};
  s.blob.first = s.blob.second = std::make_shared<std::int32_t>(seed);
  return s;
}

inline std::vector<bytes> types_seeds() { return {saved_bytes(sample_typed()), saved_bytes(sample_typed(3)), saved_bytes(typed_state{})}; }

/// An absent pointer in `many` is a byte in the file; an empty tree costs 20 bytes there and 150 in memory, twice while a vector grows.
inline constexpr std::int64_t types_bytes_per_byte = 1024;
/// The buckets that all unordered containers may have out of proportion: in what is checked, and in what is loaded.
inline constexpr std::int64_t types_bytes = 2 * 8 * static_cast<std::int64_t>(tidemark::detail::shared_buckets);

/// The schema that the file states, as sorted text; empty where it has none.
inline std::string schema_in(const archive& parts) {
  for (const auto& [key, value] : parts.metadata) {
    if (key == tidemark::detail::identity_key) return to_digest_text(tidemark::parse_schema(tidemark::detail::parse_identity(value).schema_text));
  }
  return {};
}

/// Nothing, or what is other, but for what is unordered.
inline std::string difference(archive theirs, archive ours) {
  for (archive* parts : {&theirs, &ours}) std::erase_if(parts->tensors, [](const tensor& t) { return t.name.starts_with("u_"); });
  const auto a = by_name(std::move(theirs)), b = by_name(std::move(ours));
  if (a.size() != b.size()) return "another number of tensors";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return a[i].name + " is " + b[i].name;
  }
  return {};
}

inline bool types_input(std::span<const std::byte> input) {
  static const bytes before = [] {
    typed_state s = sample_typed(8);
    s.u_map.erase("d");
    s.layers.resize(1);
    s.extra.add("g", tidemark::dtype::u8, {4});
    return saved_bytes(s);
  }();
  const tidemark::memory source{input};
  auto target = tidemark::load<typed_state>(tidemark::memory{before}, {.threads = 1});
  const auto limit = static_cast<std::int64_t>(input.size()) * types_bytes_per_byte + (1 << 20) + (64 << 10) + types_bytes;
  const auto refusal = within(limit, [&] { return outcome([&] { tidemark::restore(target, source, {.threads = 1}); }); });
  typed_state loaded{};
  const auto load_refusal = within(limit, [&] { return outcome([&] { loaded = tidemark::load<typed_state>(source, {.threads = 1}); }); });
  // Tensors by name may be views of the target: restore looks at them first, and may meet another of several defects.
  require(refusal.has_value() == load_refusal.has_value(), "restore and load do not agree: " + code_text(refusal) + ", " + code_text(load_refusal));
  if (refusal) {
    require(*refusal != tidemark::errc::partly_restored, "the file was verified, and then refused");
    require(saved_bytes(target) == before, "a refused restore changed its target");
    return false;
  }
  // A hostile number of buckets may be just below the limit, and the library's next larger one, a prime, above it.
  bytes again;
  if (const auto unsaved = outcome([&] { again = saved_bytes(target); })) {
    require(*unsaved == tidemark::errc::limit, "what was loaded cannot be saved");
    return true;
  }
  require(again == saved_bytes(loaded), "restore and load give other states");
  require(saved_bytes(tidemark::load<typed_state>(tidemark::memory{again}, {.threads = 1})) == again, "what was saved is loaded as another state");
  auto theirs = taken_apart(input), ours = taken_apart(again);
  require(theirs && ours, "what was loaded has no header");
  if (schema_in(*theirs) != schema_in(*ours)) return true;  // integers of another width
  const std::string other = difference(*std::move(theirs), *std::move(ours));
  require(other.empty(), "what was loaded is not what is in the file: " + other);
  return true;
}

}  // namespace fuzz
#endif
