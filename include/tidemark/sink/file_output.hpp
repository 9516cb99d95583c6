// SPDX-License-Identifier: BSL-1.0
// sink/file_output.hpp: writes a file front to back, in large pieces, with write-out by the system started early (floor: sink).
#ifndef TIDEMARK_SINK_FILE_OUTPUT_HPP
#define TIDEMARK_SINK_FILE_OUTPUT_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/system_error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace tidemark::detail {

/// Small writes are collected in a buffer of at most 1 MiB, which is not allocated where none come; large ones go to the system as they
/// are. `total` is what is expected: space is reserved for it, and the file ends up as long as what was written.
template <class Ops>
class file_output {
 public:
  file_output(descriptor<Ops>&& file, std::string path, std::uint64_t total, bool writes_out_early)
      : file_(std::move(file)),
        path_(std::move(path)),
        total_(total),
        capacity_(total == 0 || total > buffer_bytes ? buffer_bytes : static_cast<std::size_t>(total)),
        writes_out_early_(writes_out_early) {}

  descriptor<Ops>& file() noexcept { return file_; }
  bool is_open() const noexcept { return file_.is_open(); }

  /// Finds out early that the disk is too small. Filesystems that cannot reserve are forgiven, and small files save the call.
  void reserve() {
    if (total_ > static_cast<std::uint64_t>((std::numeric_limits<off_t>::max)())) fail(EFBIG, "space could not be reserved");
    if (total_ <= buffer_bytes) return;
    if (retry_interrupted([&] { return file_.ops().fallocate(file_.get(), 0, 0, static_cast<off_t>(total_)); }) == 0) {
      is_reserved_ = true;
    } else if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
      fail(errno, "space could not be reserved");
    }
  }

  void write(std::span<const std::byte> bytes) {
    if (bytes.size() > capacity_ - used_) {
      flush();
      if (capacity_ < buffer_bytes && written_ + bytes.size() > total_) use_full_buffer();
    }
    if (used_ == 0 && bytes.size() >= capacity_) return write_through(bytes);
    if (bytes.empty()) return;
    if (buffer_ == nullptr) buffer_.reset(static_cast<std::byte*>(::operator new(capacity_, std::align_val_t{buffer_alignment})));
    std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  /// Hands everything to the system and gives the file its length.
  void finish() {
    flush();
    if (is_reserved_ && written_ < total_) {
      if (retry_interrupted([&] { return file_.ops().ftruncate(file_.get(), static_cast<off_t>(written_)); }) < 0) {
        fail(errno, "the unused end of the file could not be cut off");
      }
    }
  }

  /// A failure is final: the system has marked the pages clean, so a second fsync would succeed and prove nothing.
  void sync() {
    if (retry_interrupted([&] { return file_.ops().fsync(file_.get()); }) < 0) fail(errno, "the data could not be flushed to the disk");
  }

  /// Some filesystems report a failed write or a full quota only here. An interruption takes nothing back: what must be on disk was
  /// synced before.
  void close() {
    if (file_.close() < 0 && errno != EINTR) fail(errno, "the file could not be closed");
  }

  [[noreturn]] void fail(int number, std::string problem) const {
    if (written_ != 0) problem += " after " + std::to_string(written_) + " bytes";
    throw_save_errno(number, path_, std::move(problem), (std::max)(total_, written_));
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
  static constexpr std::size_t buffer_alignment = 4096;
  static constexpr std::uint64_t write_out_bytes = std::uint64_t{16} << 20;  // measured: docs/durability.md

  struct free_buffer {
    void operator()(std::byte* buffer) const noexcept { ::operator delete(buffer, std::align_val_t{buffer_alignment}); }
  };

  /// More comes than was announced.
  void use_full_buffer() noexcept {
    capacity_ = buffer_bytes;
    buffer_.reset();
  }

  void flush() {
    if (used_ != 0) write_through({buffer_.get(), std::exchange(used_, 0)});
  }

  void write_through(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      // In pieces that end where write-out is due; below the 2 GiB that the system takes at once in any case.
      const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), write_out_bytes - written_ % write_out_bytes));
      const ssize_t taken = retry_interrupted([&] { return file_.ops().write(file_.get(), bytes.data(), piece); });
      if (taken < 0) fail(errno, "writing failed");
      if (taken == 0) fail(EIO, "the system accepts no more bytes");
      written_ += static_cast<std::uint64_t>(taken);
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
      if (writes_out_early_ && written_ % write_out_bytes == 0) start_write_out();
    }
  }

  /// A hint; only what says that the disk failed or is full counts.
  void start_write_out() {
    const auto start = static_cast<off_t>(written_ - write_out_bytes);
    const int result = file_.ops().sync_file_range(file_.get(), start, static_cast<off_t>(write_out_bytes), SYNC_FILE_RANGE_WRITE);
    if (result < 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) fail(errno, "the data could not be written to the disk");
  }

  descriptor<Ops> file_;
  std::string path_;
  std::uint64_t total_;
  std::uint64_t written_ = 0;
  std::unique_ptr<std::byte, free_buffer> buffer_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  bool writes_out_early_;
  bool is_reserved_ = false;
};

}  // namespace tidemark::detail
#endif
