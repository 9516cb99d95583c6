// SPDX-License-Identifier: BSL-1.0
// sink/memory.ipp: the definitions of memory.hpp (floor: sink).
#ifndef TIDEMARK_SINK_MEMORY_IPP
#define TIDEMARK_SINK_MEMORY_IPP

#include <tidemark/sink/memory.hpp>

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/linkage.hpp>

#include <new>

namespace tidemark {

TIDEMARK_DETAIL_INLINE memory_writer& memory_writer::operator=(memory_writer&& other) noexcept {
  std::swap(target_, other.target_);
  std::swap(content_, other.content_);
  return *this;
}

TIDEMARK_DETAIL_INLINE memory_writer::~memory_writer() {
  if (target_ != nullptr && target_->spare_.capacity() < content_.capacity()) target_->spare_.swap(content_);
}

TIDEMARK_DETAIL_INLINE void memory_writer::write(std::span<const std::byte> bytes) {
  if (target_ == nullptr) refuse();
  content_.insert(content_.end(), bytes.data(), bytes.data() + bytes.size());  // pointers: unoptimised libc++ copies them at once
}

TIDEMARK_DETAIL_INLINE durability memory_writer::commit() {
  if (target_ == nullptr) refuse();
  target_->content_.swap(content_);
  target_->spare_.swap(content_);
  target_ = nullptr;
  return durability::none;
}

TIDEMARK_DETAIL_INLINE void memory_writer::refuse() {
  throw error({.code = errc::unsupported, .file = "memory", .problem = "this save is over", .advice = "Open a new one."});
}

TIDEMARK_DETAIL_INLINE memory::memory(std::vector<std::byte> content) noexcept : content_(std::move(content)) {}

TIDEMARK_DETAIL_INLINE memory::memory(std::span<const std::byte> content) : content_(content.begin(), content.end()) {}

TIDEMARK_DETAIL_INLINE void memory::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > content_.size() || into.size() > content_.size() - offset) {
    throw error({.code = errc::truncated,
                 .file = name(),
                 .problem = "the archive ends too early",
                 .expected = std::to_string(into.size()) + " bytes at offset " + std::to_string(offset),
                 .found = std::to_string(content_.size()) + " bytes in all"});
  }
  if (!into.empty()) std::memcpy(into.data(), content_.data() + offset, into.size());
}

TIDEMARK_DETAIL_INLINE memory_writer memory::open(std::uint64_t total_bytes) {
  std::vector<std::byte> buffer = std::move(spare_);
  buffer.clear();
  if (total_bytes > buffer.max_size()) refuse(total_bytes);
  try {
    buffer.reserve(static_cast<std::size_t>(total_bytes));
  } catch (const std::bad_alloc&) {
    refuse(total_bytes);
  }
  return {this, std::move(buffer)};
}

TIDEMARK_DETAIL_INLINE std::vector<std::byte> memory::release() noexcept { return std::exchange(content_, {}); }

TIDEMARK_DETAIL_INLINE void memory::shrink_to_fit() {
  std::vector<std::byte>().swap(spare_);
  content_.shrink_to_fit();
}

TIDEMARK_DETAIL_INLINE void memory::refuse(std::uint64_t total_bytes) const {
  throw error({.code = errc::no_space,
               .file = name(),
               .problem = "there is not enough memory",
               .expected = std::to_string(total_bytes) + " bytes",
               .advice = "Save to a file instead."});
}

}  // namespace tidemark
#endif
