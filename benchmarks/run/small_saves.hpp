// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/small_saves.hpp: durable saves of a small state, beside the calls that any durable save makes.
#ifndef TIDEMARK_BENCHMARKS_RUN_SMALL_SAVES_HPP
#define TIDEMARK_BENCHMARKS_RUN_SMALL_SAVES_HPP

#include <tidemark/run.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <system_error>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"

namespace bench {

struct small_page {
  std::array<float, 1024> values{};
};

/// Write, sync, rename, sync of the folder.
inline void bare_save(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  const auto temporary = std::filesystem::path(file.string() + ".new");
  {
    raw_file out(temporary, O_WRONLY | O_CREAT | O_EXCL);
    out.write(bytes);
    out.sync();
  }
  if (std::rename(temporary.c_str(), file.c_str()) != 0) throw std::system_error(errno, std::generic_category(), "rename");
  raw_file(file.parent_path(), O_RDONLY | O_DIRECTORY).sync();
}

inline void small_saves(const options& o, const scratch_folder& folder) {
  small_page state;
  tidemark::memory memory;
  tidemark::save(state, memory);
  const auto file = folder / "small.safetensors";
  const auto bare = folder / "bare.safetensors";
  constexpr int saves = 20;

  race r("durable saves of 4 KiB, " + std::to_string(saves) + " a row");
  const auto often = [](auto once) {
    return [once] {
      for (int i = 0; i < saves; ++i) once();
    };
  };
  const auto nothing = [] {};
  tidemark::checkpointer run(folder / "small", {.every_steps = 1, .keep_last = 3});
  std::uint64_t step = 0;
  r.row("write, fsync, rename, fsync", often([&] { bare_save(bare, memory.bytes()); }), nothing, saves);
  r.row("write, fsync, rename, fsync, again", often([&] { bare_save(bare, memory.bytes()); }), nothing, saves);
  r.row("tidemark::save", often([&] { tidemark::save(state, file); }), nothing, saves);
  r.row("checkpointer::tick, with its pruning", often([&] { static_cast<void>(run.tick(state, ++step)); }), nothing, saves);
  r.run(o.rounds);
  judge("run.small_saves_of_bare", r.median("write, fsync, rename, fsync") / r.median("tidemark::save"), side::at_least, 0.9,
        r.spread("write, fsync, rename, fsync", "write, fsync, rename, fsync, again"));
}

}  // namespace bench
#endif
