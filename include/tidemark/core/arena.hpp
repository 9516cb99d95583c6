// SPDX-License-Identifier: BSL-1.0
// core/arena.hpp: memory that is handed out in order and freed at once, for the names, shapes and helpers of a plan (floor: core).
#ifndef TIDEMARK_CORE_ARENA_HPP
#define TIDEMARK_CORE_ARENA_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Addresses stay valid until the arena dies, also when it is moved.
class arena {
 public:
  arena() = default;
  arena(arena&& other) noexcept;
  arena& operator=(arena&& other) noexcept;
  ~arena();

  void* allocate(std::size_t bytes, std::size_t alignment);

  /// Constructs a `T` that lives as long as the arena.
  template <class T, class... Args>
  T* make(Args&&... args) {
    T* object = ::new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      owned_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
    }
    return object;
  }

  std::string_view copy(std::string_view text);

  std::span<const std::uint64_t> copy(std::span<const std::uint64_t> values);

 private:
  struct owned {
    void* object;
    void (*destroy)(void*);
  };
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<owned> owned_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t chunk_bytes_ = 8192;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/arena.ipp>
#endif
#endif
