// SPDX-License-Identifier: BSL-1.0
// fuzz/evolve_target.hpp: a file of an older version of a type that may be anything, its schema too, loaded and restored as the newer one.
#ifndef TIDEMARK_TESTS_FUZZ_EVOLVE_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_EVOLVE_TARGET_HPP

#include "forge.hpp"
#include "outcome.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace fuzz {

// Not inside their owner: clang takes a nested class with initializers for complete only where its owner is.
namespace older_types {

struct row {
  std::int32_t id = 1;
  float weight = 2;
  std::string tag = "t";
  std::vector<std::vector<std::string>> dropped_lists;
  std::optional<std::int16_t> dropped_maybe;
  std::unordered_map<std::int32_t, std::int32_t> dropped_map;
};
struct layer {
  std::vector<float> w;
  std::int32_t width = 3;
};
struct tree {
  std::int32_t value = 0;
  std::vector<tree> below;
  std::string dropped = "d";
  std::map<std::string, tree> named;
  std::unordered_map<std::string, std::int32_t> marks;
  std::array<std::array<float, 2>, 2> dropped_numbers{};
};

struct state {
  static constexpr std::string_view checkpoint_name = "state";
  std::int32_t step = 7;
  float lr = 0.5F;
  std::vector<float> m{1, 2, 3};
  std::vector<row> rows;
  std::vector<row> grown;
  std::array<row, 2> fixed{};
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::unordered_map<std::string, layer> u_layers;
  std::map<std::int32_t, row> table;
  std::unordered_map<std::int32_t, std::int32_t> u_map;
  std::unordered_set<std::int32_t> u_set;
  std::variant<std::int32_t, row> last;
  std::optional<row> best;
  std::vector<std::variant<std::int16_t, std::string>> choices;
  tree root;
  std::vector<tree> forest;
  std::map<std::string, tree> trees;
  tidemark::named_tensors extra;
  std::vector<std::int32_t> left_to_migrate{4, 5};
  std::vector<row> dropped_rows;
};

}  // namespace older_types
using older = older_types::state;

namespace newer_types {

struct row {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"tag", "label"}};
  std::int64_t id = 1;
  double weight = 2;
  std::string label = "none";
  std::optional<std::int32_t> added = 9;
};
struct module_ {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int64_t id = 1;
  std::optional<float> weight;
  std::vector<std::int32_t> history{1, 2};
};
struct layer {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"w", "weight"}};
  std::vector<double> weight;
  float decay = 0.5F;
  static void migrate(layer& now, const tidemark::stored_record& old) {
    if (old.has("width")) now.decay += static_cast<float>(old.read<std::int64_t>("width"));
  }
};
struct tree {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"below", "children"}};
  std::int64_t value = 0;
  std::vector<tree> children;
  std::map<std::string, tree> named;
  std::unordered_map<std::string, std::int64_t> marks;
  std::unique_ptr<tree> added;
  std::string kept;
  static void migrate(tree& now, const tidemark::stored_record& old) {
    if (old.has("dropped")) now.kept = old.read<std::string>("dropped");
  }
};
struct optimizer {
  float rate = 0;
  std::vector<double> momentum;
  std::int32_t warmup = 100;
};

struct state {
  static constexpr std::string_view checkpoint_name = "state";
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr tidemark::renamed_path renamed[] = {{"lr", "inner.rate"}, {"m", "inner.momentum"}};
  std::int64_t step = 7;
  optimizer inner;
  std::vector<row> rows;
  std::vector<module_> grown;
  std::vector<row> fixed;
  std::vector<layer> layers;
  std::map<std::string, layer> named;
  std::unordered_map<std::string, layer> u_layers;
  std::map<std::int64_t, row> table;
  std::unordered_map<std::int64_t, double> u_map;
  std::unordered_set<std::int64_t> u_set;
  std::variant<std::int32_t, row, double> last;
  std::optional<row> best;
  std::vector<std::variant<std::int32_t, std::string, float>> choices;
  tree root;
  std::vector<tree> forest;
  std::map<std::string, tree> trees;
  tidemark::named_tensors extra;
  std::string left_to_migrate = "none";
  static void migrate(state& now, const tidemark::stored_record& old) {
    if (!old.has("left_to_migrate")) return;
    now.left_to_migrate.clear();
    for (const std::int64_t i : old.read<std::vector<std::int64_t>>("left_to_migrate")) now.left_to_migrate += std::to_string(i) + ' ';
    if (old.has("dropped_rows")) now.left_to_migrate += std::to_string(old.read<std::vector<row>>("dropped_rows").size());
  }
};

}  // namespace newer_types
using newer = newer_types::state;

inline older_types::tree older_tree(int levels) {
  older_types::tree t;
  t.value = levels;
  t.marks = {{"a", 1}, {"b", levels}};
  if (levels > 0) {
    t.below.push_back(older_tree(levels - 1));
    t.below.push_back(older_tree(0));
    t.named["n"] = older_tree(0);
  }
  return t;
}

inline older sample_older() {
  older s;
  older_types::row row;
  row.dropped_lists = {{"a", ""}, {}};
  row.dropped_maybe = std::int16_t{5};
  row.dropped_map = {{1, 2}, {3, 4}};
  s.rows = {row, {}, row};
  s.grown = {row, {}};
  s.fixed[1] = row;
  s.layers = {{{1, 2}, 3}, {{}, 4}};
  s.named = {{"a.b", {{1}, 2}}, {"c", {}}};
  s.u_layers = {{"x", {{1}, 2}}, {"y", {}}};
  s.table = {{-1, row}, {4, {}}};
  s.u_map = {{1, 2}, {7, 8}, {-9, 0}};
  s.u_set = {4, 5, 6};
  s.last = row;
  s.best = row;
  s.choices = {std::int16_t{1}, std::string("c")};
  s.root = older_tree(2);
  s.forest = {older_tree(1), older_tree(0)};
  s.trees["t"] = older_tree(1);
  const float numbers[]{1, 2};
  s.extra.add<float>("w.x", numbers);
  s.dropped_rows = {row, {}};
  return s;
}

inline std::vector<bytes> evolve_seeds() { return {saved_bytes(sample_older()), saved_bytes(older{}), saved_bytes(newer{})}; }

/// As for types_target.hpp; what an older version stored is held once more, packed, and a row that is nothing in the file is all defaults here.
inline constexpr std::int64_t evolve_bytes_per_byte = 2048;
inline constexpr std::int64_t evolve_bytes = 2 * 8 * static_cast<std::int64_t>(tidemark::detail::shared_buckets) + (std::int64_t{64} << 20);

inline bool evolve_input(std::span<const std::byte> input) {
  static const bytes before = [] {
    newer s;
    s.layers.resize(3);
    s.root.children.resize(1);
    s.u_map = {{1, 1}};
    s.left_to_migrate = "before";
    return saved_bytes(s);
  }();
  const tidemark::memory source{input};
  auto target = tidemark::load<newer>(tidemark::memory{before}, {.threads = 1});
  const auto limit = static_cast<std::int64_t>(input.size()) * evolve_bytes_per_byte + evolve_bytes;
  const auto refusal = within(limit, [&] { return outcome([&] { tidemark::restore(target, source, {.threads = 1}); }); });
  newer loaded{};
  const auto load_refusal = within(limit, [&] { return outcome([&] { loaded = tidemark::load<newer>(source, {.threads = 1}); }); });
  require(refusal.has_value() == load_refusal.has_value(), "restore and load do not agree: " + code_text(refusal) + ", " + code_text(load_refusal));
  if (refusal) {
    require(*refusal != tidemark::errc::partly_restored, "the file was verified, and then refused");
    require(saved_bytes(target) == before, "a refused restore changed its target");
    return false;
  }
  bytes again;
  if (const auto unsaved = outcome([&] { again = saved_bytes(target); })) {
    require(*unsaved == tidemark::errc::limit, "what was loaded cannot be saved");
    return true;
  }
  require(again == saved_bytes(loaded), "restore and load give other states");
  require(saved_bytes(tidemark::load<newer>(tidemark::memory{again}, {.threads = 1})) == again, "what was saved is loaded as another state");
  return true;
}

}  // namespace fuzz
#endif
