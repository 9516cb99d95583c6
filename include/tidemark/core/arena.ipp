// SPDX-License-Identifier: BSL-1.0
// core/arena.ipp: the definitions of arena.hpp (floor: core).
#ifndef TIDEMARK_CORE_ARENA_IPP
#define TIDEMARK_CORE_ARENA_IPP

#include <tidemark/core/arena.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE arena::arena(arena&& other) noexcept
    : chunks_(std::move(other.chunks_)), owned_(std::move(other.owned_)), next_(std::exchange(other.next_, nullptr)),
      left_(std::exchange(other.left_, 0)), chunk_bytes_(other.chunk_bytes_) {}

TIDEMARK_DETAIL_INLINE arena& arena::operator=(arena&& other) noexcept {
  arena taken(std::move(other));
  std::swap(chunks_, taken.chunks_);
  std::swap(owned_, taken.owned_);
  std::swap(next_, taken.next_);
  std::swap(left_, taken.left_);
  std::swap(chunk_bytes_, taken.chunk_bytes_);
  return *this;
}

TIDEMARK_DETAIL_INLINE arena::~arena() {
  for (auto i = owned_.size(); i-- > 0;) owned_[i].destroy(owned_[i].object);
}

TIDEMARK_DETAIL_INLINE void* arena::allocate(std::size_t bytes, std::size_t alignment) {
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

TIDEMARK_DETAIL_INLINE std::string_view arena::copy(std::string_view text) {
  if (text.empty()) return {};
  auto* to = static_cast<char*>(allocate(text.size(), 1));
  std::memcpy(to, text.data(), text.size());
  return {to, text.size()};
}

TIDEMARK_DETAIL_INLINE std::span<const std::uint64_t> arena::copy(std::span<const std::uint64_t> values) {
  if (values.empty()) return {};
  auto* to = static_cast<std::uint64_t*>(allocate(values.size_bytes(), alignof(std::uint64_t)));
  std::memcpy(to, values.data(), values.size_bytes());
  return {to, values.size()};
}

}  // namespace tidemark::detail
#endif
