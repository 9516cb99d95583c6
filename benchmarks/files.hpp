// SPDX-License-Identifier: BSL-1.0
// benchmarks/files.hpp: the raw loops that the library is compared with, and a folder that goes when its owner does.
#ifndef TIDEMARK_BENCHMARKS_FILES_HPP
#define TIDEMARK_BENCHMARKS_FILES_HPP

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace bench {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

class raw_file {
 public:
  raw_file(const std::filesystem::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail("open");
  }
  raw_file(const raw_file&) = delete;
  raw_file& operator=(const raw_file&) = delete;
  ~raw_file() { ::close(number_); }

  int number() const noexcept { return number_; }

  /// In pieces of 1 MiB.
  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t taken = ::write(number_, bytes.data(), std::min(bytes.size(), mebibyte));
      if (taken <= 0) fail("write");
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
    }
  }

  /// In pieces of 1 MiB.
  void read(std::span<std::byte> into) {
    while (!into.empty()) {
      const ssize_t got = ::read(number_, into.data(), std::min(into.size(), mebibyte));
      if (got <= 0) fail("read");
      into = into.subspan(static_cast<std::size_t>(got));
    }
  }

  void seek(std::uint64_t offset) {
    if (::lseek(number_, static_cast<off_t>(offset), SEEK_SET) < 0) fail("lseek");
  }
  void sync() {
    if (::fsync(number_) < 0) fail("fsync");
  }

 private:
  [[noreturn]] static void fail(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

  int number_;
};

/// Empty when made, removed at the end.
class scratch_folder {
 public:
  explicit scratch_folder(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Removes the file and waits until the disk is idle, so that no row pays for the one before it.
inline void clear_the_way(const std::filesystem::path& file) {
  std::filesystem::remove(file);
  const raw_file folder(file.parent_path(), O_RDONLY | O_DIRECTORY);
  if (::syncfs(folder.number()) < 0) throw std::system_error(errno, std::generic_category(), "syncfs");
}

inline bool is_in_memory(const std::filesystem::path& folder) {
  constexpr std::uint32_t tmpfs = 0x01021994;
  constexpr std::uint32_t ramfs = 0x858458f6;
  struct statfs status;
  if (::statfs(folder.c_str(), &status) < 0) return false;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  return type == tmpfs || type == ramfs;
}

/// Where the tensors of a safetensors file begin.
inline std::uint64_t data_start(const std::filesystem::path& file) {
  std::uint64_t length = 0;
  raw_file(file, O_RDONLY).read(std::as_writable_bytes(std::span(&length, 1)));
  return 8 + length;
}

}  // namespace bench
#endif
