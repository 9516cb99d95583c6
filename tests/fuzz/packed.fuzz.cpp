// SPDX-License-Identifier: BSL-1.0
// fuzz/packed.fuzz.cpp: packed_target.hpp under libFuzzer. `make fuzz` builds and runs it.
#include "libfuzzer.hpp"
#include "packed_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_counting();
  fuzz::packed_input(fuzz::view_of(data, size));
  return 0;
}
