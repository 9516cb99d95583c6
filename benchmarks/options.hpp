// SPDX-License-Identifier: BSL-1.0
// benchmarks/options.hpp: the command line of the benchmarks.
#ifndef TIDEMARK_BENCHMARKS_OPTIONS_HPP
#define TIDEMARK_BENCHMARKS_OPTIONS_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace bench {

struct options {
  bool is_quick = false;  ///< small sizes and few rounds: does everything run? Its bars mean nothing.
  bool parts = false;     ///< rows that take the library apart, to find what costs the time
  int rounds = 15;
  std::filesystem::path program;
  std::filesystem::path dir;  ///< where files go; the program's own folder by default
  std::string only;           ///< one part of the benchmark
  std::string python;         ///< one that has safetensors
  std::string child;          ///< what a child process is to measure
  std::uint64_t bytes = 0;    ///< of its state
  std::string file;
};

[[noreturn]] inline void usage(std::string_view problem) {
  std::fprintf(stderr,
               "%.*s\n"
               "--quick          small sizes and few rounds, to see that everything runs\n"
               "--rounds N       rounds that count (15)\n"
               "--dir PATH       where files go: a disk's filesystem, not tmpfs, with 6 GiB free (the program's folder)\n"
               "--only PART      one part; store has durable, load, memory, many, mixed, partial, small; run has stall, pages, in_flight, small, sharded\n"
               "--parts          more rows, that take the library apart\n"
               "--python PATH    one that has safetensors (build/venv/bin/python, python3)\n",
               static_cast<int>(problem.size()), problem.data());
  std::exit(2);
}

inline options read_options(int argc, char** argv) {
  options o;
  bool has_rounds = false;
  o.program = std::filesystem::read_symlink("/proc/self/exe");
  o.dir = o.program.parent_path();
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto value = [&]() -> const char* {
      if (i + 1 == argc) usage(std::string(name) + " needs a value");
      return argv[++i];
    };
    if (name == "--quick") o.is_quick = true;
    else if (name == "--parts") o.parts = true;
    else if (name == "--rounds") has_rounds = true, o.rounds = std::atoi(value());
    else if (name == "--dir") o.dir = value();
    else if (name == "--only") o.only = value();
    else if (name == "--python") o.python = value();
    else if (name == "--child") o.child = value();
    else if (name == "--bytes") o.bytes = std::strtoull(value(), nullptr, 10);
    else if (name == "--file") o.file = value();
    else usage(name == "--help" ? "The options:" : "unknown option " + std::string(name));
  }
  if (o.is_quick && !has_rounds) o.rounds = 3;
  if (o.rounds < 1) usage("--rounds takes a number above 0");
  return o;
}

/// Whether `part` was asked for.
inline bool wants(const options& o, std::string_view part) { return o.only.empty() || o.only == part; }

}  // namespace bench
#endif
