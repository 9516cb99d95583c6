// SPDX-License-Identifier: BSL-1.0
// sink/mapped_file.hpp: a regular file mapped read-only, for those who want views into it instead of copies (floor: sink).
#ifndef TIDEMARK_SINK_MAPPED_FILE_HPP
#define TIDEMARK_SINK_MAPPED_FILE_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/system_error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace tidemark {

/// A read-only mapping of a whole regular file; the file is closed again at once. An empty file gives an empty span.
///
/// Beware: when another process SHORTENS the file, or the disk fails, touching the lost pages raises SIGBUS, which kills the process;
/// no library can turn that into an error. When it overwrites the file in place, the bytes change under a reader who has verified them.
/// Files that `atomic_file` replaces are safe: the mapping keeps the old file. Read with `file_source` what others may modify.
template <class Ops>
class basic_mapped_file {
 public:
  template <detail::PathLike P>
  explicit basic_mapped_file(const P& path, Ops ops = {}) : ops_(ops) {
    const basic_file_source<Ops> source(path, std::move(ops));
    path_ = source.name();
    if (source.size() > (std::numeric_limits<std::size_t>::max)()) {
      throw error({.code = errc::limit,
                   .file = path_,
                   .problem = "the file is larger than the address space",
                   .found = std::to_string(source.size()) + " bytes",
                   .advice = "Read it with file_source."});
    }
    const auto size = static_cast<std::size_t>(source.size());
    if (size == 0) return;  // the system maps no empty range
    void* address = ops_.mmap(size, PROT_READ, MAP_SHARED, source.file().get(), 0);
    if (address == MAP_FAILED) {
      detail::throw_errno(errno, {.file = path_, .problem = "the file could not be mapped", .advice = "Read it with file_source."});
    }
    bytes_ = {static_cast<const std::byte*>(address), size};
  }
  basic_mapped_file(basic_mapped_file&& other) noexcept : ops_(other.ops_), path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}
  basic_mapped_file& operator=(basic_mapped_file&& other) noexcept {
    std::swap(ops_, other.ops_);
    std::swap(path_, other.path_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~basic_mapped_file() {
    if (!bytes_.empty()) ops_.munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }

  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::uint64_t size() const noexcept { return bytes_.size(); }
  std::string name() const { return path_; }

  /// Copies from the mapping; an error of code `truncated` where the file ended before that when it was mapped.
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > bytes_.size() || into.size() > bytes_.size() - offset) {
      throw error({.code = errc::truncated,
                   .file = path_,
                   .problem = "the file ends too early",
                   .expected = std::to_string(into.size()) + " bytes at offset " + std::to_string(offset),
                   .found = "the end at " + std::to_string(bytes_.size())});
    }
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  }

 private:
  [[no_unique_address]] Ops ops_;
  std::string path_;
  std::span<const std::byte> bytes_;
};

using mapped_file = basic_mapped_file<file_ops>;

}  // namespace tidemark
#endif
