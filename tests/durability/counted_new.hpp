// SPDX-License-Identifier: BSL-1.0
// durability/counted_new.hpp: operator new and delete that count what is live; included by one source of the executable.
#ifndef TIDEMARK_TESTS_DURABILITY_COUNTED_NEW_HPP
#define TIDEMARK_TESTS_DURABILITY_COUNTED_NEW_HPP

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace durability {
/// Of all threads, so that it is compared when none is at work.
inline std::atomic<long> live_allocations{0};
long live_allocations_now() { return live_allocations; }  // for other sources

inline void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++live_allocations;
  return memory;
}
inline void free_counted(void* memory) noexcept {
  if (memory != nullptr) --live_allocations;
  std::free(memory);
}
}  // namespace durability

void* operator new(std::size_t size) { return durability::counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  return durability::counted(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& n) noexcept { return operator new(size, n); }
void operator delete(void* at) noexcept { durability::free_counted(at); }
void operator delete[](void* at) noexcept { durability::free_counted(at); }
void operator delete(void* at, std::size_t) noexcept { durability::free_counted(at); }
void operator delete[](void* at, std::size_t) noexcept { durability::free_counted(at); }
void operator delete(void* at, std::align_val_t) noexcept { durability::free_counted(at); }
void operator delete[](void* at, std::align_val_t) noexcept { durability::free_counted(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { durability::free_counted(at); }
void operator delete[](void* at, std::size_t, std::align_val_t) noexcept { durability::free_counted(at); }
void operator delete(void* at, const std::nothrow_t&) noexcept { durability::free_counted(at); }
void operator delete[](void* at, const std::nothrow_t&) noexcept { durability::free_counted(at); }

#endif
