// SPDX-License-Identifier: BSL-1.0
// whole/large.test.cpp: arrays of more than 2^31 elements and more than 2^31 bytes keep every one.
#include <tidemark/store.hpp>

#include <doctest/doctest.h>
#include "sanitizers.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

std::uint64_t available_kib() {
  std::ifstream in("/proc/meminfo");
  for (std::string name, rest; in >> name && std::getline(in, rest);) {
    if (name == "MemAvailable:") return std::stoull(rest);
  }
  return 0;
}

}  // namespace

TEST_CASE("2^31 + 1 elements come back, each in its place") {
  if (scratch::is_sanitized || available_kib() < (std::uint64_t{6} << 20)) {
    MESSAGE("not run: needs 6 GiB of free memory and no sanitizer");
    return;
  }
  struct state {
    std::vector<std::uint8_t> all;
  } s;
  const std::size_t count = (std::size_t{1} << 31) + 1;
  s.all.resize(count);
  for (std::size_t i = 0; i < count; i += 4093) s.all[i] = static_cast<std::uint8_t>(i >> 12);
  s.all.back() = 77;
  const auto path = std::filesystem::temp_directory_path() / "tidemark-large.safetensors";
  const auto report = save(s, atomic_file{path, {.durability = durability::none}});
  CHECK(report.bytes > count);
  s.all.assign(count, 1);
  restore(s, path);
  std::filesystem::remove(path);
  std::size_t wrong = s.all.size() != count;
  for (std::size_t i = 0; i < count; i += 4093) wrong += s.all[i] != (i + 1 == count ? 77 : static_cast<std::uint8_t>(i >> 12));
  CHECK(wrong == 0);
  CHECK(s.all.back() == 77);
  CHECK(s.all[1] == 0);
}
