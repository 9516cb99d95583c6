// SPDX-License-Identifier: BSL-1.0
// fuzz/evolve.fuzz.cpp: evolve_target.hpp under libFuzzer, with other schemas and changes that keep the digests right. `make fuzz` builds and runs it.
#include "evolve_target.hpp"
#include "libfuzzer.hpp"
#include "mutate_schema.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_counting();
  fuzz::evolve_input(fuzz::view_of(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  fuzz::chance random(seed);
  if (random.one_in(3)) {
    if (auto parts = fuzz::taken_apart(fuzz::view_of(data, size)); parts && fuzz::mutate_schema_tree(*parts, random)) {
      const fuzz::bytes changed = fuzz::put_together(*std::move(parts));
      if (changed.size() <= room) {
        std::memcpy(data, changed.data(), changed.size());
        return changed.size();
      }
    }
  }
  return fuzz::mutate_in_place(data, size, room, seed);
}
