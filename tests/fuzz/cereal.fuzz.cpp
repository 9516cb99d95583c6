// SPDX-License-Identifier: BSL-1.0
// fuzz/cereal.fuzz.cpp: cereal_target.hpp under libFuzzer. `make fuzz` builds and runs it.
#include "cereal_target.hpp"
#include "libfuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_counting();
  fuzz::cereal_input(fuzz::view_of(data, size));
  return 0;
}
