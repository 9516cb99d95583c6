// SPDX-License-Identifier: BSL-1.0
// benchmarks/zstd.bench.cpp: what compressing costs and gains, on float weights and on text, beside the plain save.
#include <tidemark/store.hpp>
#include <tidemark/zstd.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "files.hpp"
#include "harness.hpp"
#include "options.hpp"

namespace {

/// As a training leaves them: normal, in noise down to the last bit.
std::vector<float> weights(std::size_t bytes) {
  std::vector<float> all(bytes / sizeof(float));
  std::mt19937 engine(1);
  std::normal_distribution<float> normal(0.0f, 0.02f);
  for (float& w : all) w = normal(engine);
  return all;
}

/// Words of a made-up language, the frequent ones short.
std::vector<std::string> text(std::size_t bytes) {
  std::mt19937 engine(2);
  std::vector<std::string> words(5000);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t n = 2 + i / 700 + engine() % 3; n > 0; --n) words[i] += static_cast<char>('a' + engine() % 26);
  }
  std::vector<std::string> lines;
  for (std::size_t size = 0; size < bytes; size += lines.back().size()) {
    std::string line;
    while (line.size() < 100) (line += words[(engine() % words.size()) * (engine() % words.size()) / words.size()]) += ' ';
    lines.push_back(std::move(line));
  }
  return lines;
}

template <class T>
void compressed_save(const bench::options& o, const std::string& name, const T& state, const bench::scratch_folder& folder, double bar_of_size) {
  const auto plain = folder / "plain.safetensors";
  const auto small = folder / "small.safetensors.zst";
  bench::race r(name + ", durable save and load");
  const auto clear_plain = [&] { bench::clear_the_way(plain); };
  const auto clear_small = [&] { bench::clear_the_way(small); };
  r.row("save, plain", [&] { tidemark::save(state, plain); }, clear_plain);
  r.row("save, plain, again", [&] { tidemark::save(state, plain); }, clear_plain);
  for (const int level : {1, 3}) {
    r.row("save, zstd level " + std::to_string(level), [&, level] { tidemark::save(state, tidemark::zstd{level, tidemark::atomic_file{small}}); }, clear_small);
  }
  r.row("save, zstd level 3, one thread", [&] { tidemark::save(state, tidemark::zstd{3, tidemark::atomic_file{small}, {.threads = 1}}); }, clear_small);
  r.row("load, plain", [&] { return tidemark::load<T>(plain); }, [&] { tidemark::save(state, plain); });
  r.row("load, zstd level 3", [&] { return tidemark::load<T>(tidemark::zstd_source{small}); }, [&] { tidemark::save(state, tidemark::zstd{3, tidemark::atomic_file{small}}); });
  r.run(o.rounds);
  tidemark::save(state, plain);
  for (const int level : {1, 3, 9, 19}) {
    if (level == 19 && o.is_quick) continue;
    tidemark::save(state, tidemark::zstd{level, tidemark::atomic_file{small}});
    std::printf("   level %-2d has %.3f of the plain bytes\n", level, static_cast<double>(std::filesystem::file_size(small)) / static_cast<double>(std::filesystem::file_size(plain)));
  }
  tidemark::save(state, tidemark::zstd{3, tidemark::atomic_file{small}});
  bench::judge("zstd." + name + "_size_of_plain", static_cast<double>(std::filesystem::file_size(small)) / static_cast<double>(std::filesystem::file_size(plain)), bench::side::at_most, bar_of_size, "level 3");
  bench::judge("zstd." + name + "_save_of_one_thread", r.speedup("save, zstd level 3", "save, zstd level 3, one thread"), bench::side::at_least, 1.2, "two cores or more");
  bench::judge("zstd." + name + "_save_to_plain", r.minimum("save, zstd level 3") / r.minimum("save, plain"), bench::side::at_most, 8, r.spread("save, plain", "save, plain, again"));
}

void run(const bench::options& o) {
  if (bench::is_in_memory(o.dir)) bench::usage("--dir is in memory: durable rows would measure nothing");
  const bench::scratch_folder folder(o.dir / (o.program.filename().string() + ".files"));
  const std::size_t bytes = (o.is_quick ? std::size_t{20} : std::size_t{64}) << 20;
  compressed_save(o, "weights", weights(bytes), folder, 0.95);
  compressed_save(o, "text", text(bytes), folder, 0.5);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(bench::read_options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
