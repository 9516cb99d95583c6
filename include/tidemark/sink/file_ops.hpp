// SPDX-License-Identifier: BSL-1.0
// sink/file_ops.hpp: every system call of the library as one policy, which tests replace to record and to inject failures (floor: sink).
#ifndef TIDEMARK_SINK_FILE_OPS_HPP
#define TIDEMARK_SINK_FILE_OPS_HPP

#if !defined(__linux__)
#error "tidemark's files need Linux; tidemark::memory and the formats do not: include their headers one by one"
#endif

#include <cerrno>
#include <cstddef>
#include <cstdio>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace tidemark {

static_assert(sizeof(off_t) == 8, "tidemark: compile with -D_FILE_OFFSET_BITS=64, files are larger than 2 GiB");

/// The calls as the kernel has them: a negative result (from `mmap`: MAP_FAILED) means failure, and errno says why.
///
/// A replacement has the same members and is copied into whatever uses it, so it should be a handle. Nothing else in this library
/// makes a system call.
struct file_ops {
  int openat(int folder, const char* path, int flags, mode_t mode) const noexcept { return ::openat(folder, path, flags, mode); }
  int close(int file) const noexcept { return ::close(file); }
  int fstat(int file, struct stat* into) const noexcept { return ::fstat(file, into); }
  int fstatat(int folder, const char* path, struct stat* into, int flags) const noexcept { return ::fstatat(folder, path, into, flags); }
  ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) const noexcept { return ::readlinkat(folder, path, into, size); }

  ssize_t write(int file, const void* from, std::size_t size) const noexcept { return ::write(file, from, size); }
  ssize_t pread(int file, void* into, std::size_t size, off_t offset) const noexcept { return ::pread(file, into, size, offset); }
  int fallocate(int file, int mode, off_t offset, off_t size) const noexcept { return ::fallocate(file, mode, offset, size); }
  int ftruncate(int file, off_t size) const noexcept { return ::ftruncate(file, size); }
  int sync_file_range(int file, off_t offset, off_t size, unsigned flags) const noexcept { return ::sync_file_range(file, offset, size, flags); }
  int fsync(int file) const noexcept { return ::fsync(file); }
  int fchmod(int file, mode_t mode) const noexcept { return ::fchmod(file, mode); }

  int renameat(int from_folder, const char* from, int to_folder, const char* to) const noexcept { return ::renameat(from_folder, from, to_folder, to); }
  /// By number, because not every C library wraps it.
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) const noexcept {
    return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
  }
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) const noexcept {
    return ::linkat(from_folder, from, to_folder, to, flags);
  }
  int unlinkat(int folder, const char* path, int flags) const noexcept { return ::unlinkat(folder, path, flags); }
  int mkdirat(int folder, const char* path, mode_t mode) const noexcept { return ::mkdirat(folder, path, mode); }
  /// Entries of an open folder as `linux_dirent64`, from where the last call stopped; 0 at the end. By number, as above.
  ssize_t getdents(int folder, void* into, std::size_t size) const noexcept { return ::syscall(SYS_getdents64, folder, into, size); }
  int flock(int file, int operation) const noexcept { return ::flock(file, operation); }
  int fstatvfs(int file, struct statvfs* into) const noexcept { return ::fstatvfs(file, into); }

  void* mmap(std::size_t size, int protection, int flags, int file, off_t offset) const noexcept {
    return ::mmap(nullptr, size, protection, flags, file, offset);
  }
  int munmap(void* address, std::size_t size) const noexcept { return ::munmap(address, size); }
  ssize_t getrandom(void* into, std::size_t size, unsigned flags) const noexcept { return ::getrandom(into, size, flags); }
};

namespace detail {

/// RENAME_NOREPLACE, which older C libraries lack.
inline constexpr unsigned rename_noreplace = 1;

/// Calls until something other than a signal ends the call. Not for `close`: the descriptor is gone even then.
template <class Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace detail
}  // namespace tidemark
#endif
