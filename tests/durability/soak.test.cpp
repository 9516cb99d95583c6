// SPDX-License-Identifier: BSL-1.0
// tests/durability/soak.test.cpp: thousands of saves of one run: descriptors, memory and names stay what they were.
#include <doctest/doctest.h>
#include "rig.hpp"
#include "scenarios.hpp"
#include "sink/scratch.hpp"

#include <cstdio>
#include <string>

#include <unistd.h>

using namespace durability;

namespace durability {
long live_allocations_now();  // counted_new.hpp, in faults.test.cpp
}

namespace {

/// Pages in memory, by the system's account.
long resident_pages() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long size = 0, resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  if (file != nullptr) std::fclose(file);
  return resident;
}

}  // namespace

TEST_CASE("thousands of saves leave as many descriptors, allocations and names as one") {
  const int saves = static_cast<int>(setting("TIDEMARK_SOAK", 400 / slowdown));
  for (const soak_run& run : soak_runs()) {
    CAPTURE(run.name);
    const scratch::folder folder;
    std::size_t names = 0, descriptors = 0;
    long allocations = 0, pages = 0;
    run.run(folder.path(), saves, [&](int done) {
      if (done == saves / 4) {
        names = folder.entries();
        descriptors = scratch::open_descriptors();
        allocations = live_allocations_now();
        pages = resident_pages();
      }
      if (done < saves / 4 || done % (saves / 4) != 0) return;
      CHECK(folder.entries() == names);
      CHECK(scratch::open_descriptors() == descriptors);
      CHECK(live_allocations_now() <= allocations + 8);  // numbers grow a digit
      if (slowdown == 1) CHECK(resident_pages() <= pages + 512);
    });
    MESSAGE(run.name << ": " << saves << " saves, " << names << " names, " << resident_pages() - pages << " pages more at the end");
  }
}
