// SPDX-License-Identifier: BSL-1.0
// core/arena.hpp: memory that is handed out in order and freed at once, for the names, shapes and helpers of a plan (floor: core).
#ifndef TIDEMARK_CORE_ARENA_HPP
#define TIDEMARK_CORE_ARENA_HPP

#include <algorithm>
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
  arena(arena&& other) noexcept
      : chunks_(std::move(other.chunks_)), owned_(std::move(other.owned_)), next_(std::exchange(other.next_, nullptr)),
        left_(std::exchange(other.left_, 0)), chunk_bytes_(other.chunk_bytes_) {}
  arena& operator=(arena&& other) noexcept {
    arena taken(std::move(other));
    std::swap(chunks_, taken.chunks_);
    std::swap(owned_, taken.owned_);
    std::swap(next_, taken.next_);
    std::swap(left_, taken.left_);
    std::swap(chunk_bytes_, taken.chunk_bytes_);
    return *this;
  }
  ~arena() {
    for (auto i = owned_.size(); i-- > 0;) owned_[i].destroy(owned_[i].object);
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t gap = (alignment - reinterpret_cast<std::uintptr_t>(next_) % alignment) % alignment;
    if (bytes + gap > left_) {
      const std::size_t size = (std::max)(chunk_bytes_, bytes + alignment);
      chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
      next_ = chunks_.back().get();
      left_ = size;
      chunk_bytes_ = (std::min<std::size_t>)(chunk_bytes_ * 2, std::size_t{1} << 20);
      gap = (alignment - reinterpret_cast<std::uintptr_t>(next_) % alignment) % alignment;
    }
    void* result = next_ + gap;
    next_ += gap + bytes;
    left_ -= gap + bytes;
    return result;
  }

  /// Constructs a `T` that lives as long as the arena.
  template <class T, class... Args>
  T* make(Args&&... args) {
    T* object = ::new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      owned_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
    }
    return object;
  }

  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    auto* to = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  std::span<const std::uint64_t> copy(std::span<const std::uint64_t> values) {
    if (values.empty()) return {};
    auto* to = static_cast<std::uint64_t*>(allocate(values.size_bytes(), alignof(std::uint64_t)));
    std::memcpy(to, values.data(), values.size_bytes());
    return {to, values.size()};
  }

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
#endif
