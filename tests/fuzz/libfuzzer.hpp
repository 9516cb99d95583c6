// SPDX-License-Identifier: BSL-1.0
// fuzz/libfuzzer.hpp: what the targets share under libFuzzer.
#ifndef TIDEMARK_TESTS_FUZZ_LIBFUZZER_HPP
#define TIDEMARK_TESTS_FUZZ_LIBFUZZER_HPP

#include "allocations.hpp"
#include "mutate.hpp"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace fuzz {

/// Counts by the sanitizer's hooks, which see malloc too: libFuzzer has an operator new of its own, so none is replaced here.
inline const bool is_counting = [] {
  const auto on_malloc = [](const volatile void*, std::size_t size) {
    allocations.live += static_cast<std::int64_t>(size);
    allocations.peak = std::max(allocations.peak, allocations.live);
  };
  const auto on_free = [](const volatile void* at) {
    if (at != nullptr) allocations.live -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(at));
  };
  allocations.is_counting = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
  return allocations.is_counting;
}();

/// Once, before the first input: a limit that nobody watches holds always.
inline void require_counting() {
  static const bool counts = [] {
    const std::int64_t before = allocations.live;
    const bytes some(1000);
    return is_counting && allocations.live >= before + 1000;
  }();
  require(counts, "memory is not counted");
}

inline std::span<const std::byte> view_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const std::byte*>(data), size}; }

/// As `mutated`, half of the changes of content by libFuzzer, which learns from comparisons.
inline std::size_t mutate_in_place(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  chance random(seed);
  auto parts = random.one_in(8) ? std::nullopt : taken_apart(view_of(data, size));
  if (!parts) return LLVMFuzzerMutate(data, size, room);
  const auto by_libfuzzer = [](bytes& content) {
    const std::size_t old = content.size();
    content.resize(old + 64);
    content.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(content.data()), old, content.size()));
  };
  for (std::uint64_t n = 1 + random.below(3); n-- > 0;) {
    mutate_parts(*parts, random, room, [&](bytes& content) {
      if (random.one_in(2)) by_libfuzzer(content);
      else mutate_bytes(content, random, room);
    });
  }
  const bytes changed = put_together(*std::move(parts));
  if (changed.size() > room) return LLVMFuzzerMutate(data, size, room);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace fuzz
#endif
