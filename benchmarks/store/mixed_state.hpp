// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/mixed_state.hpp: rows, strings, modules and a map in great number, beside what else archives the same value.
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
#if defined(TIDEMARK_BENCHMARKS_BOOST)
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#endif
#if __has_include(<msgpack.hpp>)
#define MSGPACK_NO_BOOST
#include <msgpack.hpp>
#define TIDEMARK_BENCHMARKS_MSGPACK
#endif

namespace bench {

/// The same members for each library: a class with functions of another is no plain aggregate to tidemark.
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

#if defined(TIDEMARK_BENCHMARKS_BOOST)
struct boost_row : mixed_row {
  template <class A>
  void serialize(A& archive, unsigned) {
    archive & id & weight & score & place & is_used;
  }
};
struct boost_module : mixed_module {
  template <class A>
  void serialize(A& archive, unsigned) {
    archive & weight & name & updates;
  }
};
struct boost_state {
  std::vector<boost_row> rows;
  std::vector<std::string> words;
  std::vector<boost_module> modules;
  std::map<std::string, double> table;
  template <class A>
  void serialize(A& archive, unsigned) {
    archive & rows & words & modules & table;
  }
};
#endif

#if defined(TIDEMARK_BENCHMARKS_MSGPACK)
struct msgpack_row : mixed_row {
  MSGPACK_DEFINE(id, weight, score, place, is_used)
};
struct msgpack_module : mixed_module {
  MSGPACK_DEFINE(weight, name, updates)
};
struct msgpack_state {
  std::vector<msgpack_row> rows;
  std::vector<std::string> words;
  std::vector<msgpack_module> modules;
  std::map<std::string, double> table;
  MSGPACK_DEFINE(rows, words, modules, table)
};
#endif

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
#if defined(TIDEMARK_BENCHMARKS_BOOST)
  const auto boosted = make_mixed<boost_state>(scale);
  const auto boost_save = [&] {
    std::ostringstream out;
    boost::archive::binary_oarchive archive(out, boost::archive::no_header);
    archive << boosted;
    return std::move(out).str();
  };
  const std::string boost_blob = boost_save();
  r.row("Boost.Serialization binary save", boost_save);
  r.row("Boost.Serialization binary load", [&] {
    std::istringstream in(boost_blob);
    boost::archive::binary_iarchive archive(in, boost::archive::no_header);
    boost_state loaded;
    archive >> loaded;
    return loaded;
  });
#endif
#if defined(TIDEMARK_BENCHMARKS_MSGPACK)
  const auto packed = make_mixed<msgpack_state>(scale);
  const auto msgpack_save = [&] {
    msgpack::sbuffer out;
    msgpack::pack(out, packed);
    return out;
  };
  const msgpack::sbuffer msgpack_blob = msgpack_save();
  r.row("msgpack save", msgpack_save);
  r.row("msgpack load", [&] { return msgpack::unpack(msgpack_blob.data(), msgpack_blob.size()).get().as<msgpack_state>(); });
#endif
  if (o.parts) {
    r.row("part: plan", [&] { return tidemark::detail::plan_of(state); });
    r.row("part: open (header, digests)", [&] {
      const tidemark::detail::archive_reader reader{tidemark::detail::source_ref(kept)};
      keep(reader);
    });
  }
  r.run(o.rounds);
  std::printf("   bytes: tidemark %llu, cereal %llu", static_cast<unsigned long long>(kept.size()), static_cast<unsigned long long>(blob.size()));
#if defined(TIDEMARK_BENCHMARKS_BOOST)
  std::printf(", Boost.Serialization %llu", static_cast<unsigned long long>(boost_blob.size()));
#endif
#if defined(TIDEMARK_BENCHMARKS_MSGPACK)
  std::printf(", msgpack %llu", static_cast<unsigned long long>(msgpack_blob.size()));
#endif
  std::printf("\n");
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
