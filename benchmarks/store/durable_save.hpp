// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/durable_save.hpp: a durable save of a large state beside raw loops that write the same bytes to the same place.
#ifndef TIDEMARK_BENCHMARKS_STORE_DURABLE_SAVE_HPP
#define TIDEMARK_BENCHMARKS_STORE_DURABLE_SAVE_HPP

#include <tidemark/store.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "hdf5_peer.hpp"
#include "large_state.hpp"
#include "python_peer.hpp"

namespace bench {

struct raw_write {
  bool kicks = false;     ///< starts write-out every 16 MiB
  bool hashes = false;    ///< as the library does, in the same pass
  bool reserves = false;  ///< the file's space first
};

inline void write_raw(large_state& state, const std::filesystem::path& file, raw_write how) {
  constexpr std::size_t block = 16 * mebibyte;
  raw_file out(file, O_WRONLY | O_CREAT | O_EXCL);
  const auto arrays = arrays_of(state);
  if (how.reserves && ::fallocate(out.number(), 0, 0, static_cast<off_t>(arrays.size() * arrays[0]->size() * sizeof(float))) < 0) how.reserves = false;
  std::uint64_t written = 0;
  tidemark::detail::hasher hash;
  for (const std::vector<float>* array : arrays) {
    for (auto left = std::as_bytes(std::span(*array)); !left.empty();) {
      const auto piece = left.first(std::min(left.size(), mebibyte));
      if (how.hashes) hash.update(piece);
      out.write(piece);
      written += piece.size();
      left = left.subspan(piece.size());
      if (written % block != 0) continue;
      if (how.hashes) {
        auto digest = hash.finish();
        keep(digest);
        hash.reset();
      }
      if (how.kicks) ::sync_file_range(out.number(), static_cast<off_t>(written - block), static_cast<off_t>(block), SYNC_FILE_RANGE_WRITE);
    }
  }
  out.sync();
}

inline void hash_raw(large_state& state) {
  for (const std::vector<float>* array : arrays_of(state)) {
    for (auto left = std::as_bytes(std::span(*array)); !left.empty();) {
      const auto block = left.first(std::min(left.size(), 16 * mebibyte));
      auto digest = tidemark::detail::digest_of(block);
      keep(digest);
      left = left.subspan(block.size());
    }
  }
}

/// A sink that forgets, to see what a save costs without writing.
struct forgetful_sink {
  struct writer {
    void write(std::span<const std::byte> bytes) { keep(bytes); }
    tidemark::durability commit() { return tidemark::durability::none; }
  };
  writer open(std::uint64_t) const { return {}; }
  std::string name() const { return "nowhere"; }
};

inline void durable_save(const options& o, const scratch_folder& folder) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  large_state state = make_large_state(bytes);
  const auto file = folder / "save.safetensors";
  const auto peer = python_peer::safetensors(o, bytes);
  const auto torch = python_peer::torch(o, bytes);
  const auto clear = [file] { clear_the_way(file); };

  race r("durable save of " + std::to_string(bytes >> 20) + " MiB in 16 arrays, with fsync");
  r.row("tidemark::save", [&] { tidemark::save(state, file); }, clear);
  r.row("write loop with write-out every 16 MiB", [&] { write_raw(state, file, {.kicks = true}); }, clear);
  r.row("write loop with write-out, again", [&] { write_raw(state, file, {.kicks = true}); }, clear);
  r.row("write loop", [&] { write_raw(state, file, {}); }, clear);
  for (python_peer* python : {peer.get(), torch.get()}) {
    if (python != nullptr) r.row(python->name(), [python, file]() -> double { return python->save(file); }, clear);
  }
#if defined(TIDEMARK_BENCHMARKS_HDF5)
  r.row("HDF5, 16 datasets + fsync", [&] { save_as_hdf5(state, file); }, clear);
#endif
  r.row("tidemark::save over an older file", [&] { tidemark::save(state, file); }, [&] {
    clear();
    write_raw(state, file, {});
  });
  if (o.parts) {
    r.row("part: hash", [&] { hash_raw(state); });
    r.row("part: save to nowhere", [&] { tidemark::save(state, forgetful_sink{}); });
    r.row("part: loop, write-out, hash", [&] { write_raw(state, file, {.kicks = true, .hashes = true}); }, clear);
    r.row("part: loop, write-out, fallocate", [&] { write_raw(state, file, {.kicks = true, .reserves = true}); }, clear);
    r.row("part: loop, write-out, hash, fallocate", [&] { write_raw(state, file, {.kicks = true, .hashes = true, .reserves = true}); }, clear);
  }
  r.run(o.rounds);
  const std::string limit = "write loop with write-out every 16 MiB";
  judge("store.durable_save_of_limit", r.speedup("tidemark::save", limit), side::at_least, 0.9, r.spread(limit, "write loop with write-out, again"));
  judge("store.durable_save_of_plain_loop", r.speedup("tidemark::save", "write loop"), side::at_least, 1.2);
  if (peer) judge("store.durable_save_of_safetensors", r.speedup("tidemark::save", peer->name()), side::at_least, 1.0, peer->name());
  else skip("store.durable_save_of_safetensors", "no Python with safetensors; --python names one");
}

}  // namespace bench
#endif
