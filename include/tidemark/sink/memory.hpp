// SPDX-License-Identifier: BSL-1.0
// sink/memory.hpp: an archive in memory, to save into and to load from (floor: sink).
#ifndef TIDEMARK_SINK_MEMORY_HPP
#define TIDEMARK_SINK_MEMORY_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

class memory;

/// One save into a `memory`, which must outlive it and stay where it is.
class memory_writer {
 public:
  memory_writer(memory_writer&& other) noexcept : target_(std::exchange(other.target_, nullptr)), content_(std::move(other.content_)) {}
  memory_writer& operator=(memory_writer&& other) noexcept {
    std::swap(target_, other.target_);
    std::swap(content_, other.content_);
    return *this;
  }
  inline ~memory_writer();

  void write(std::span<const std::byte> bytes) {
    if (target_ == nullptr) refuse();
    content_.insert(content_.end(), bytes.data(), bytes.data() + bytes.size());  // pointers: unoptimised libc++ copies them at once
  }
  inline durability commit();

 private:
  [[noreturn]] static void refuse() {
    throw error({.code = errc::unsupported, .file = "memory", .problem = "this save is over", .advice = "Open a new one."});
  }

  friend class memory;
  memory_writer(memory* target, std::vector<std::byte>&& content) noexcept : target_(target), content_(std::move(content)) {}

  memory* target_;
  std::vector<std::byte> content_;
};

/// Bytes in memory: a sink and a contiguous source.
///
/// A save replaces the content at its commit and not before, so two archives live side by side meanwhile. The older buffer is kept for
/// the next save, which then allocates nothing; `shrink_to_fit` gives it back. Reading from several threads at once is safe while no
/// save commits.
class memory {
 public:
  memory() = default;
  explicit memory(std::vector<std::byte> content) noexcept : content_(std::move(content)) {}
  explicit memory(std::span<const std::byte> content) : content_(content.begin(), content.end()) {}

  std::span<const std::byte> bytes() const noexcept { return content_; }
  std::uint64_t size() const noexcept { return content_.size(); }
  std::string name() const { return "memory"; }

  /// Fills `into` from `offset`; an error of code `truncated` where the content ends before that.
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > content_.size() || into.size() > content_.size() - offset) {
      throw error({.code = errc::truncated,
                   .file = name(),
                   .problem = "the archive ends too early",
                   .expected = std::to_string(into.size()) + " bytes at offset " + std::to_string(offset),
                   .found = std::to_string(content_.size()) + " bytes in all"});
    }
    if (!into.empty()) std::memcpy(into.data(), content_.data() + offset, into.size());
  }

  /// Starts a save of about `total_bytes`; fewer or more may be written. Throws `no_space` where memory does not suffice for them.
  memory_writer open(std::uint64_t total_bytes) {
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

  /// Moves the content out; the memory is empty then.
  std::vector<std::byte> release() noexcept { return std::exchange(content_, {}); }

  /// Frees the buffer that is kept for the next save, and what the content does not use.
  void shrink_to_fit() {
    std::vector<std::byte>().swap(spare_);
    content_.shrink_to_fit();
  }

 private:
  friend class memory_writer;

  [[noreturn]] void refuse(std::uint64_t total_bytes) const {
    throw error({.code = errc::no_space,
                 .file = name(),
                 .problem = "there is not enough memory",
                 .expected = std::to_string(total_bytes) + " bytes",
                 .advice = "Save to a file instead."});
  }

  std::vector<std::byte> content_;
  std::vector<std::byte> spare_;
};

inline memory_writer::~memory_writer() {
  if (target_ != nullptr && target_->spare_.capacity() < content_.capacity()) target_->spare_.swap(content_);
}

inline durability memory_writer::commit() {
  if (target_ == nullptr) refuse();
  target_->content_.swap(content_);
  target_->spare_.swap(content_);
  target_ = nullptr;
  return durability::none;
}

}  // namespace tidemark
#endif
