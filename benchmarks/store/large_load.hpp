// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/large_load.hpp: a verified load and restore of a large state beside loops that only read.
#ifndef TIDEMARK_BENCHMARKS_STORE_LARGE_LOAD_HPP
#define TIDEMARK_BENCHMARKS_STORE_LARGE_LOAD_HPP

#include <tidemark/store.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "large_state.hpp"

namespace bench {

using fresh_arrays = std::array<std::unique_ptr<float[]>, 16>;

/// Into memory that no page belongs to yet, as a load finds it.
inline fresh_arrays read_fresh(const std::filesystem::path& file, std::uint64_t start, std::size_t count) {
  fresh_arrays arrays;
  raw_file in(file, O_RDONLY);
  in.seek(start);
  for (auto& array : arrays) {
    array.reset(new float[count]);
    in.read(std::as_writable_bytes(std::span(array.get(), count)));
  }
  return arrays;
}

inline void read_warm(const std::filesystem::path& file, std::uint64_t start, large_state& into) {
  raw_file in(file, O_RDONLY);
  in.seek(start);
  for (std::vector<float>* array : arrays_of(into)) in.read(std::as_writable_bytes(std::span(*array)));
}

/// What one writes first, and what a vector makes of it: every page is cleared, then filled.
inline large_state read_resized(const std::filesystem::path& file, std::uint64_t start, std::size_t count) {
  large_state state;
  raw_file in(file, O_RDONLY);
  in.seek(start);
  for (std::vector<float>* array : arrays_of(state)) {
    array->resize(count);
    in.read(std::as_writable_bytes(std::span(*array)));
  }
  return state;
}

inline void large_load(const options& o, const scratch_folder& folder) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  const auto file = folder / "load.safetensors";
  large_state state = make_large_state(bytes);
  const auto count = state.a.size();
  tidemark::save(state, file);
  const std::uint64_t start = data_start(file);
  {
    large_state copy = tidemark::load<large_state>(file);
    if (copy.a != state.a || copy.p != state.p) throw std::runtime_error("the state did not come back");
  }
  read_warm(file, start, state);  // from here on the file is in the page cache

  race r("load and restore of " + std::to_string(bytes >> 20) + " MiB in 16 arrays, from the page cache");
  const tidemark::load_options one{.threads = 1};
  const tidemark::load_options two{.threads = 2};
  r.row("tidemark::load", [&] { return tidemark::load<large_state>(file, two); });
  r.row("read loop into fresh memory", [&] { return read_fresh(file, start, count); });
  r.row("read loop into fresh memory, again", [&] { return read_fresh(file, start, count); });
  r.row("vector::resize and read", [&] { return read_resized(file, start, count); });
  r.row("tidemark::restore", [&] { tidemark::restore(state, file, two); });
  r.row("read loop into warm memory", [&] { read_warm(file, start, state); });
  r.row("read loop into warm memory, again", [&] { read_warm(file, start, state); });
  if (o.parts) {
    r.row("part: tidemark::verify, two threads", [&] { tidemark::verify(file, two); });
    r.row("part: tidemark::verify, one thread", [&] { tidemark::verify(file, one); });
    r.row("part: tidemark::load, one thread", [&] { return tidemark::load<large_state>(file, one); });
    r.row("part: tidemark::restore, one thread", [&] { tidemark::restore(state, file, one); });
  }
  r.run(o.rounds);
  judge("store.load_of_read_loop", r.speedup("tidemark::load", "read loop into fresh memory"), side::at_least, 1.0,
        r.spread("read loop into fresh memory", "read loop into fresh memory, again"));
  judge("store.restore_of_read_loop", r.speedup("tidemark::restore", "read loop into warm memory"), side::at_least, is_native ? 0.9 : 0.7,
        r.spread("read loop into warm memory", "read loop into warm memory, again"));
  std::filesystem::remove(file);
}

}  // namespace bench
#endif
