// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/peak_memory.hpp: how much memory a save, load and restore take beyond the state, each in a process of its own.
#ifndef TIDEMARK_BENCHMARKS_STORE_PEAK_MEMORY_HPP
#define TIDEMARK_BENCHMARKS_STORE_PEAK_MEMORY_HPP

#include <tidemark/store.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include <malloc.h>

#include "../child.hpp"
#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "large_state.hpp"
#include "many_tensors.hpp"

namespace bench {

/// A line of /proc/self/status, in bytes.
inline std::uint64_t memory_of_this_process(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ':')) return std::stoull(line.substr(key.size() + 1)) << 10;
  }
  throw std::runtime_error("no " + key + " in /proc/self/status");
}

/// How far the resident memory rises during `f` above what it is before.
template <class F>
std::uint64_t rise_during(F&& f) {
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5" << std::flush;  // the high-water mark starts anew
  const std::uint64_t before = memory_of_this_process("VmRSS");
  if (memory_of_this_process("VmHWM") > before + (1 << 20)) throw std::runtime_error("the high-water mark could not be reset");
  f();
  const std::uint64_t peak = memory_of_this_process("VmHWM");
  return peak > before ? peak - before : 0;
}

/// In the child: prints the rise of a save, load or restore, and what the state itself takes.
template <class State, class Make>
void print_rise(const std::string& action, const std::string& file, Make make) {
  State state{};
  std::uint64_t held = 0;
  std::uint64_t rise = 0;
  if (action == "load") {
    rise = rise_during([&] { state = tidemark::load<State>(file, {.threads = 2}); });
  } else {
    held = rise_during([&] { make(state); });
    rise = rise_during([&] {
      if (action == "save") tidemark::save(state, file);
      else tidemark::restore(state, file, {.threads = 2});
    });
  }
  std::printf("%llu\n%llu\n", static_cast<unsigned long long>(rise), static_cast<unsigned long long>(held));
}

inline int peak_memory_child(const options& o) {
  const std::string action = o.child.substr(o.child.find('-') + 1);
  if (o.child.starts_with("large")) print_rise<large_state>(action, o.file, [&](large_state& state) { state = make_large_state(o.bytes); });
  else print_rise<tensor_map>(action, o.file, [&](tensor_map& state) { make_many(state, static_cast<std::size_t>(o.bytes >> 10)); });
  return 0;
}

/// `kind`-`action` of as many bytes, in a child. A load is allowed the new state too: as much as the saved one took.
inline void judge_rises(const options& o, const std::string& kind, std::uint64_t bytes, std::uint64_t tensors, const std::string& label,
                        const std::filesystem::path& file) {
  double held = 0;
  for (const std::string action : {"save", "load", "restore"}) {
    child_process child({o.program.string(), "--child", kind + '-' + action, "--bytes", std::to_string(bytes), "--file", file.string()});
    double rise = child.hear_number();
    if (action == "save") held = child.hear_number();
    if (action == "load") rise -= held;
    const double allowed = 32 + static_cast<double>(tensors) / 1024;
    judge("store.peak_mib_" + action + '_' + label, rise / static_cast<double>(mebibyte), side::at_most, allowed,
          action == "load" ? "above the new state of " + std::to_string(static_cast<std::uint64_t>(held) >> 20) + " MiB" : "");
  }
  std::filesystem::remove(file);
}

inline void peak_memory(const options& o, const scratch_folder& folder) {
  std::printf("-- peak memory above the state, MiB\n");
  const std::uint64_t unit = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{1} << 30;
  const auto file = folder / "peak.safetensors";
  judge_rises(o, "large", unit, 16, o.is_quick ? "64mib" : "1gib", file);
  judge_rises(o, "large", 4 * unit, 16, o.is_quick ? "256mib" : "4gib", file);
  const std::uint64_t many = o.is_quick ? 2000 : 100'000;
  judge_rises(o, "many", many << 10, many, std::to_string(many) + "_tensors", file);
}

}  // namespace bench
#endif
