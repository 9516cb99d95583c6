// SPDX-License-Identifier: BSL-1.0
// benchmarks/store.bench.cpp: what saving and loading promise, beside raw loops and Python's safetensors.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <thread>

#include "store/durable_save.hpp"
#include "store/large_load.hpp"
#include "store/many_tensors.hpp"
#include "store/mixed_state.hpp"
#include "store/partial_read.hpp"
#include "store/peak_memory.hpp"
#include "store/small_state.hpp"

namespace {

/// How many cores two busy threads get: less than two where other programs run.
double cores_to_be_had() {
  const auto spin = [] {
    for (volatile int i = 0; i < 100'000'000;) i = i + 1;
  };
  const double processor = bench::processor_time();
  const auto start = std::chrono::steady_clock::now();
  std::thread other(spin);
  spin();
  other.join();
  return (bench::processor_time() - processor) / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_machine() {
  std::printf("-- %s build; two threads get %.2f cores: below 1.9, other programs run here, and the rows of two threads tell little\n",
              bench::is_native ? "AVX2" : "baseline", cores_to_be_had());
}

int run(const bench::options& o) {
  if (!o.child.empty()) return bench::peak_memory_child(o);
  const bool needs_disk = bench::wants(o, "durable") || bench::wants(o, "load") || bench::wants(o, "memory") || bench::wants(o, "partial");
  if (needs_disk && bench::is_in_memory(o.dir)) bench::usage("--dir is in memory: durable rows would measure nothing");
  if (needs_disk && !o.is_quick && std::filesystem::space(o.dir).available < std::uint64_t{6} << 30) bench::usage("--dir has less than 6 GiB free");
  print_machine();
  const auto name = o.program.filename().string() + ".files";
  if (bench::wants(o, "small")) bench::small_state_in_memory(o);
  if (bench::wants(o, "mixed")) bench::mixed_in_memory(o);
  if (bench::wants(o, "many")) {
    const std::filesystem::path shared = "/dev/shm";
    if (bench::is_in_memory(shared)) {
      const bench::scratch_folder folder(shared / name);
      bench::many_tensors<bench::tensor_map>(o, folder, "map");
      bench::many_tensors<bench::layer_list>(o, folder, "layers");
    } else {
      bench::skip("store.many", "/dev/shm is no tmpfs");
    }
  }
  if (needs_disk) {
    const bench::scratch_folder folder(o.dir / name);
    if (bench::wants(o, "durable")) bench::durable_save(o, folder);
    if (bench::wants(o, "load")) bench::large_load(o, folder);
    if (bench::wants(o, "memory")) bench::peak_memory(o, folder);
    if (bench::wants(o, "partial")) bench::partial_read(o, folder);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(bench::read_options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
