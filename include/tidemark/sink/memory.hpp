// SPDX-License-Identifier: BSL-1.0
// sink/memory.hpp: an archive in memory, to save into and to load from (floor: sink).
#ifndef TIDEMARK_SINK_MEMORY_HPP
#define TIDEMARK_SINK_MEMORY_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

class memory;

/// One save into a `memory`, which must outlive it and stay where it is.
class memory_writer {
 public:
  memory_writer(memory_writer&& other) noexcept : target_(std::exchange(other.target_, nullptr)), content_(std::move(other.content_)) {}
  memory_writer& operator=(memory_writer&& other) noexcept;
  ~memory_writer();

  void write(std::span<const std::byte> bytes);
  durability commit();

 private:
  [[noreturn]] static void refuse();

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
  explicit memory(std::vector<std::byte> content) noexcept;
  explicit memory(std::span<const std::byte> content);

  std::span<const std::byte> bytes() const noexcept { return content_; }
  std::uint64_t size() const noexcept { return content_.size(); }
  std::string name() const { return "memory"; }

  /// Fills `into` from `offset`; an error of code `truncated` where the content ends before that.
  void read(std::uint64_t offset, std::span<std::byte> into) const;

  /// Starts a save of about `total_bytes`; fewer or more may be written. Throws `no_space` where memory does not suffice for them.
  memory_writer open(std::uint64_t total_bytes);

  /// Moves the content out; the memory is empty then.
  std::vector<std::byte> release() noexcept;

  /// Frees the buffer that is kept for the next save, and what the content does not use.
  void shrink_to_fit();

 private:
  friend class memory_writer;

  [[noreturn]] void refuse(std::uint64_t total_bytes) const;

  std::vector<std::byte> content_;
  std::vector<std::byte> spare_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/memory.ipp>
#endif
#endif
