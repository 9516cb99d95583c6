// SPDX-License-Identifier: BSL-1.0
// whole/make_golden.cpp: `make_golden FOLDER` writes the archives of golden.hpp as text, for states that have no file yet.
//
// A file that is there is never written again: what it holds is what every later version must read. Where it no longer fits, the
// library is wrong, not the file. Built by hand: c++ -std=c++20 -Iinclude tests/whole/make_golden.cpp -o build/make_golden
#include "golden.hpp"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_golden FOLDER\n");
    return 2;
  }
  const auto write = [&](const char* name, const auto& state, const tidemark::metadata_list& metadata) {
    tidemark::memory file;
    tidemark::save(state, file, {.metadata = metadata});
    const std::string path = std::string(argv[1]) + '/' + name + ".txt";
    std::FILE* const out = std::fopen(path.c_str(), "wx");
    if (out == nullptr) {
      std::printf("%s is there already, or cannot be written: left as it is\n", path.c_str());
      return;
    }
    std::size_t column = 0;
    for (const std::byte b : file.bytes()) std::fprintf(out, "%02x%s", std::to_integer<unsigned>(b), ++column % 64 == 0 ? "\n" : "");
    std::fputs(column % 64 == 0 ? "" : "\n", out);
    std::fclose(out);
    std::printf("%s written\n", path.c_str());
  };
  golden::for_each(write);
  golden::for_each_of_library(write);  // by libstdc++
}
