// SPDX-License-Identifier: BSL-1.0
// benchmarks/run.bench.cpp: what a run pays for its checkpoints: the stall, the speed beside a save, small saves, shards.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "run/in_flight.hpp"
#include "run/pages.hpp"
#include "run/sharded.hpp"
#include "run/small_saves.hpp"
#include "run/stall.hpp"

int main(int argc, char** argv) {
  try {
    const bench::options o = bench::read_options(argc, argv);
    if (bench::is_in_memory(o.dir)) bench::usage("--dir is in memory: durable rows would measure nothing");
    if (!o.is_quick && std::filesystem::space(o.dir).available < std::uint64_t{20} << 30) bench::usage("--dir has less than 20 GiB free");
    const bench::scratch_folder folder(o.dir / (o.program.filename().string() + ".files"));
    if (bench::wants(o, "stall")) bench::stall(o, folder);
    if (bench::wants(o, "pages")) bench::pages(o);
    if (bench::wants(o, "in_flight")) bench::in_flight(o, folder);
    if (bench::wants(o, "small")) bench::small_saves(o, folder);
    if (bench::wants(o, "sharded")) bench::sharded(o, folder);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
