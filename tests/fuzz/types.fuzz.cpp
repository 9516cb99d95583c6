// SPDX-License-Identifier: BSL-1.0
// fuzz/types.fuzz.cpp: types_target.hpp under libFuzzer, with changes that keep the digests right. `make fuzz` builds and runs it.
#include "libfuzzer.hpp"
#include "types_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_counting();
  fuzz::types_input(fuzz::view_of(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  return fuzz::mutate_in_place(data, size, room, seed);
}
