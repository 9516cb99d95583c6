// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/mixed_state.hpp: rows, strings, modules and a map in great number, beside cereal's binary archive of the same value.
#ifndef TIDEMARK_BENCHMARKS_STORE_MIXED_STATE_HPP
#define TIDEMARK_BENCHMARKS_STORE_MIXED_STATE_HPP

#include <tidemark/store.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../harness.hpp"
#include "../options.hpp"

#if __has_include(<cereal/archives/binary.hpp>)
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#define TIDEMARK_BENCHMARKS_CEREAL
#endif

namespace bench {

/// The same members twice: a class with cereal's functions is no plain aggregate to tidemark.
struct mixed_row {
  std::uint32_t id = 0;
  float weight = 0;
  double score = 0;
  std::array<std::int16_t, 4> place{};
  bool is_used = false;
};
struct mixed_module {
  std::vector<float> weight;
  std::string name;
  std::uint64_t updates = 0;
};
struct mixed_state {
  std::vector<mixed_row> rows;
  std::vector<std::string> words;
  std::vector<mixed_module> modules;
  std::map<std::string, double> table;
};
struct cereal_row : mixed_row {
  template <class A>
  void serialize(A& archive) {
    archive(id, weight, score, place, is_used);
  }
};
struct cereal_module : mixed_module {
  template <class A>
  void serialize(A& archive) {
    archive(weight, name, updates);
  }
};
struct cereal_state {
  std::vector<cereal_row> rows;
  std::vector<std::string> words;
  std::vector<cereal_module> modules;
  std::map<std::string, double> table;
  template <class A>
  void serialize(A& archive) {
    archive(rows, words, modules, table);
  }
};

template <class State>
State make_mixed(std::size_t scale) {
  State s;
  s.rows.resize(scale);
  for (std::size_t i = 0; i < scale; ++i) {
    auto& row = s.rows[i];
    row.id = static_cast<std::uint32_t>(i);
    row.weight = static_cast<float>(i) * 0.5F;
    row.score = static_cast<double>(i) / 3;
    row.place = {static_cast<std::int16_t>(i), 2, 3, 4};
    row.is_used = i % 3 == 0;
  }
  for (std::size_t i = 0; i < scale / 10; ++i) {
    s.words.push_back("word number " + std::to_string(i * 7919));
    s.table.emplace("key." + std::to_string(i), static_cast<double>(i));
  }
  s.modules.resize(scale / 100);
  for (std::size_t i = 0; i < s.modules.size(); ++i) {
    s.modules[i].weight.assign(64, static_cast<float>(i));
    s.modules[i].name = "module " + std::to_string(i);
    s.modules[i].updates = i;
  }
  return s;
}

inline void mixed_in_memory(const options& o) {
#if defined(TIDEMARK_BENCHMARKS_CEREAL)
  const std::size_t scale = o.is_quick ? 1000 : 1'000'000;
  const auto state = make_mixed<mixed_state>(scale);
  const auto twin = make_mixed<cereal_state>(scale);
  tidemark::memory memory;
  tidemark::save(state, memory);
  const tidemark::memory kept(memory.bytes());
  const auto cereal_save = [&] {
    std::ostringstream out;
    cereal::BinaryOutputArchive archive(out);
    archive(twin);
    return std::move(out).str();
  };
  const std::string blob = cereal_save();
  if (tidemark::load<mixed_state>(kept).table != state.table) throw std::runtime_error("the state did not come back");

  race r(std::to_string(scale) + " rows, " + std::to_string(scale / 10) + " strings and map entries, " + std::to_string(scale / 100) + " modules, in memory");
  r.row("tidemark::save", [&] { tidemark::save(state, memory); });
  r.row("tidemark::load", [&] { return tidemark::load<mixed_state>(kept); });
  r.row("cereal binary save", cereal_save);
  r.row("cereal binary save, again", cereal_save);
  r.row("cereal binary load", [&] {
    std::istringstream in(blob);
    cereal::BinaryInputArchive archive(in);
    cereal_state loaded;
    archive(loaded);
    return loaded;
  });
  if (o.parts) {
    r.row("part: plan", [&] { return tidemark::detail::plan_of(state); });
    r.row("part: open (header, digests)", [&] {
      const tidemark::detail::archive_reader reader{tidemark::detail::source_ref(kept)};
      keep(reader);
    });
  }
  r.run(o.rounds);
  const std::string spread = r.spread("cereal binary save", "cereal binary save, again");
  judge("store.mixed_save_to_cereal", r.minimum("tidemark::save") / r.minimum("cereal binary save"), side::at_most, 2, spread);
  judge("store.mixed_load_to_cereal", r.minimum("tidemark::load") / r.minimum("cereal binary load"), side::at_most, 2, spread);
  judge("store.mixed_bytes_to_cereal", static_cast<double>(kept.size()) / static_cast<double>(blob.size()), side::at_most, 1.2, "exact");
#else
  static_cast<void>(o);
  skip("store.mixed", "cereal is not installed");
#endif
}

}  // namespace bench
#endif
