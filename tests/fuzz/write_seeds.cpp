// SPDX-License-Identifier: BSL-1.0
// fuzz/write_seeds.cpp: `write_seeds FOLDER` writes what each fuzzer starts from, a folder for each.
#include "cereal_target.hpp"
#include "evolve_target.hpp"
#include "load_target.hpp"
#include "packed_target.hpp"
#include "random_target.hpp"
#include "schema_target.hpp"
#include "types_target.hpp"
#include "view_target.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  const auto write = [&](const char* target, const std::vector<fuzz::bytes>& seeds) {
    const auto folder = std::filesystem::path(argv[1]) / target;
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      std::ofstream(folder / ("seed-" + std::to_string(i)), std::ios::binary)
          .write(reinterpret_cast<const char*>(seeds[i].data()), static_cast<std::streamsize>(seeds[i].size()));
    }
  };
  write("view", fuzz::view_seeds());
  write("load", fuzz::load_seeds());
  write("random", fuzz::random_seeds());
  write("schema", fuzz::schema_seeds());
  write("types", fuzz::types_seeds());
  write("evolve", fuzz::evolve_seeds());
  write("packed", fuzz::packed_seeds());
  write("cereal", fuzz::cereal_seeds());
}
