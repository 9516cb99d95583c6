// SPDX-License-Identifier: BSL-1.0
// fuzz/schema.fuzz.cpp: schema_target.hpp under libFuzzer. `make fuzz` builds and runs it.
#include "libfuzzer.hpp"
#include "schema_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_counting();
  fuzz::schema_input(fuzz::view_of(data, size));
  return 0;
}
