// SPDX-License-Identifier: BSL-1.0
// fuzz/replaced_new.hpp: operator new that counts; included by one source of an executable, no more.
#ifndef TIDEMARK_TESTS_FUZZ_REPLACED_NEW_HPP
#define TIDEMARK_TESTS_FUZZ_REPLACED_NEW_HPP

#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

// Functions of their own: nvcc compiles the operators for the device as well, where nothing is thrown or counted.
namespace fuzz {

// Each piece is preceded by its size, in a room of the largest alignment that plain new promises.
inline constexpr std::size_t counted_room = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

inline void* allocate_counted(std::size_t size) {
  auto& count = allocations;
  count.is_counting = true;
  count.live += static_cast<std::int64_t>(size);
  count.peak = std::max(count.peak, count.live);  // also of what is not to be had
  void* const room = size > SIZE_MAX / 2 ? nullptr : std::malloc(size + counted_room);
  if (room == nullptr) {
    count.live -= static_cast<std::int64_t>(size);
    throw std::bad_alloc();
  }
  std::memcpy(room, &size, sizeof size);
  return static_cast<char*>(room) + counted_room;
}
inline void free_counted(void* at) noexcept {
  if (at == nullptr) return;
  void* const room = static_cast<char*>(at) - counted_room;
  std::size_t size = 0;
  std::memcpy(&size, room, sizeof size);
  allocations.live -= static_cast<std::int64_t>(size);
  std::free(room);
}

}  // namespace fuzz

void* operator new(std::size_t size) { return fuzz::allocate_counted(size); }
void operator delete(void* at) noexcept { fuzz::free_counted(at); }
// The rest too: a sanitizer brings its own for each that is not replaced, and they must not meet.
void operator delete(void* at, std::size_t) noexcept { operator delete(at); }
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete[](void* at) noexcept { operator delete(at); }
void operator delete[](void* at, std::size_t) noexcept { operator delete(at); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& n) noexcept { return operator new(size, n); }
void operator delete(void* at, const std::nothrow_t&) noexcept { operator delete(at); }
void operator delete[](void* at, const std::nothrow_t&) noexcept { operator delete(at); }

#endif
