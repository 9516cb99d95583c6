// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/stall.hpp: how long a training waits for a save in the background, beside a copy of its state in memory.
#ifndef TIDEMARK_BENCHMARKS_RUN_STALL_HPP
#define TIDEMARK_BENCHMARKS_RUN_STALL_HPP

#include <sys/mman.h>
#include <tidemark/run.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "../store/large_state.hpp"

namespace bench {

/// A run that saves at every tick. What it writes need not reach the disk here: the stall does not depend on it.
inline tidemark::checkpointer_options saving_always(tidemark::background how) {
  return {.every_steps = 1, .keep_last = 1, .background = how, .durability = tidemark::durability::process};
}

/// Memory that a forked child does not get: what the benchmark holds beside the state is not the training's.
class unforked_bytes {
 public:
  explicit unforked_bytes(std::size_t size) : size_(size), bytes_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (bytes_ == MAP_FAILED || ::madvise(bytes_, size, MADV_DONTFORK) != 0) throw std::bad_alloc();
    std::memset(bytes_, 1, size);
  }
  unforked_bytes(const unforked_bytes&) = delete;
  unforked_bytes& operator=(const unforked_bytes&) = delete;
  ~unforked_bytes() { ::munmap(bytes_, size_); }

  std::byte* get() const noexcept { return static_cast<std::byte*>(bytes_); }

 private:
  std::size_t size_;
  void* bytes_;
};

/// One way of saving, in a race of its own: a copy that staged saves keep would be forked along.
inline void stall(const options& o, const scratch_folder& folder, const char* name, tidemark::background how, double bar) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  large_state state = make_large_state(bytes);
  const unforked_bytes copy(bytes);
  const auto copy_all = [&] {
    std::byte* to = copy.get();
    for (const std::vector<float>* array : arrays_of(state)) {
      std::memcpy(to, array->data(), array->size() * sizeof(float));
      to += array->size() * sizeof(float);
    }
    keep(to);
  };
  std::uint64_t step = 0;
  tidemark::checkpointer run(folder / name, saving_always(how));
  const auto idle = [&] { run.wait(); };  // no row pays for a save of another

  race r("stall of tick at " + std::to_string(bytes >> 20) + " MiB, " + name);
  const std::string tick = std::string("tick, ") + name;
  r.row("memcpy of the state, warm", copy_all, idle);
  r.row("memcpy of the state, again", copy_all, idle);
  r.row(tick, [&] { static_cast<void>(run.tick(state, ++step)); }, idle);
  r.run(o.rounds);
  judge(std::string("run.") + name + "_stall_of_memcpy", r.minimum(tick) / r.minimum("memcpy of the state, warm"), side::at_most, bar,
        r.spread("memcpy of the state, warm", "memcpy of the state, again"));
}

inline void stall(const options& o, const scratch_folder& folder) {
  stall(o, folder, "staged", tidemark::background::staged, 1.05);
  stall(o, folder, "fork", tidemark::background::fork, 0.4);
}

}  // namespace bench
#endif
