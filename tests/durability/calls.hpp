// SPDX-License-Identifier: BSL-1.0
// durability/calls.hpp: one Ops for every proof: calls that go to the system or to a disk in memory, and that can be watched, failed, cut short.
#ifndef TIDEMARK_TESTS_DURABILITY_CALLS_HPP
#define TIDEMARK_TESTS_DURABILITY_CALLS_HPP

#include <tidemark/sink/file_ops.hpp>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace durability {

/// Whatever answers: the system, or a disk in memory.
class backend {
 public:
  virtual ~backend() = default;
  virtual int openat(int folder, const char* path, int flags, mode_t mode) = 0;
  virtual int close(int file) = 0;
  virtual int fstat(int file, struct stat* into) = 0;
  virtual int fstatat(int folder, const char* path, struct stat* into, int flags) = 0;
  virtual ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) = 0;
  virtual ssize_t write(int file, const void* from, std::size_t size) = 0;
  virtual ssize_t pread(int file, void* into, std::size_t size, off_t offset) = 0;
  virtual int fallocate(int file, int mode, off_t offset, off_t size) = 0;
  virtual int ftruncate(int file, off_t size) = 0;
  virtual int sync_file_range(int file, off_t offset, off_t size, unsigned flags) = 0;
  virtual int fsync(int file) = 0;
  virtual int fchmod(int file, mode_t mode) = 0;
  virtual int renameat(int from_folder, const char* from, int to_folder, const char* to) = 0;
  virtual int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) = 0;
  virtual int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) = 0;
  virtual int unlinkat(int folder, const char* path, int flags) = 0;
  virtual int mkdirat(int folder, const char* path, mode_t mode) = 0;
  virtual ssize_t getdents(int folder, void* into, std::size_t size) = 0;
  virtual int flock(int file, int operation) = 0;
  virtual int fstatvfs(int file, struct statvfs* into) = 0;
  virtual ssize_t getrandom(void* into, std::size_t size, unsigned flags) = 0;
};

class real_system final : public backend {
 public:
  int openat(int folder, const char* path, int flags, mode_t mode) override { return real_.openat(folder, path, flags, mode); }
  int close(int file) override { return real_.close(file); }
  int fstat(int file, struct stat* into) override { return real_.fstat(file, into); }
  int fstatat(int folder, const char* path, struct stat* into, int flags) override { return real_.fstatat(folder, path, into, flags); }
  ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) override { return real_.readlinkat(folder, path, into, size); }
  ssize_t write(int file, const void* from, std::size_t size) override { return real_.write(file, from, size); }
  ssize_t pread(int file, void* into, std::size_t size, off_t offset) override { return real_.pread(file, into, size, offset); }
  int fallocate(int file, int mode, off_t offset, off_t size) override { return real_.fallocate(file, mode, offset, size); }
  int ftruncate(int file, off_t size) override { return real_.ftruncate(file, size); }
  int sync_file_range(int file, off_t offset, off_t size, unsigned flags) override { return real_.sync_file_range(file, offset, size, flags); }
  int fsync(int file) override { return real_.fsync(file); }
  int fchmod(int file, mode_t mode) override { return real_.fchmod(file, mode); }
  int renameat(int from_folder, const char* from, int to_folder, const char* to) override { return real_.renameat(from_folder, from, to_folder, to); }
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) override {
    return real_.renameat2(from_folder, from, to_folder, to, flags);
  }
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) override {
    return real_.linkat(from_folder, from, to_folder, to, flags);
  }
  int unlinkat(int folder, const char* path, int flags) override { return real_.unlinkat(folder, path, flags); }
  int mkdirat(int folder, const char* path, mode_t mode) override { return real_.mkdirat(folder, path, mode); }
  ssize_t getdents(int folder, void* into, std::size_t size) override { return real_.getdents(folder, into, size); }
  int flock(int file, int operation) override { return real_.flock(file, operation); }
  int fstatvfs(int file, struct statvfs* into) override { return real_.fstatvfs(file, into); }
  ssize_t getrandom(void* into, std::size_t size, unsigned flags) override { return real_.getrandom(into, size, flags); }

 private:
  tidemark::file_ops real_;
};

/// One call as a watcher sees it. `object`: "folder", "nameless" or "file" of an open; of what else has a descriptor, what was opened there;
/// else the name that the call is about.
struct call {
  int number = 0;
  std::string name, object;
  std::string label() const { return object.empty() ? name : name + ' ' + object; }
};

/// What stands between the library and a backend. Hooks may be called by several threads, one at a time.
struct watch {
  std::function<int(const call&)> before = {};         ///< an errno to fail with instead of calling, or 0
  std::function<void(const call&)> after = {};
  std::function<std::size_t(std::size_t)> shorten = {};  ///< how many bytes of those asked for a write or read may handle
  std::map<std::string, int> lacks = {};               ///< what the filesystem cannot do, by label or name, and the errno it says so with
  int interruptions_each = 0;                          ///< how often each call but close fails with EINTR before it works
  int calls = 0;
  std::map<int, std::string> roles = {};
  std::mutex mutex = {};
};

/// What the library is given: a handle on a backend and a watch.
class ops {
 public:
  ops(backend& to, watch& by) : to_(&to), by_(&by) {}

  int openat(int folder, const char* path, int flags, mode_t mode) const {
    const bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
    const std::string role = is_nameless ? "nameless" : (flags & O_DIRECTORY) != 0 ? "folder" : (flags & O_CREAT) != 0 ? "file" : "source";
    const int result = run("openat", role, [&] { return to_->openat(folder, path, flags, mode); });
    if (result >= 0) {
      const std::lock_guard lock(by_->mutex);
      by_->roles[result] = role == "nameless" ? "file" : role;
    }
    return result;
  }
  int close(int file) const {
    bool was_closed = false;
    const int result = run("close", role(file), [&] {
      was_closed = true;
      return to_->close(file);
    });
    if (!was_closed) {  // the system closes even when it reports a failure
      const int kept = errno;
      to_->close(file);
      errno = kept;
    }
    return result;
  }
  int fstat(int file, struct stat* into) const {
    return run("fstat", role(file), [&] { return to_->fstat(file, into); });
  }
  int fstatat(int folder, const char* path, struct stat* into, int flags) const {
    return run("fstatat", std::string_view(path).starts_with("/proc/") ? "proc" : "target", [&] { return to_->fstatat(folder, path, into, flags); });
  }
  ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) const {
    return run("readlinkat", "target", [&] { return to_->readlinkat(folder, path, into, size); });
  }
  ssize_t write(int file, const void* from, std::size_t size) const {
    return run("write", role(file), [&]() -> ssize_t {
      const std::size_t allowed = by_->shorten ? by_->shorten(size) : size;
      return allowed == 0 ? 0 : to_->write(file, from, allowed);
    });
  }
  ssize_t pread(int file, void* into, std::size_t size, off_t offset) const {
    return run("pread", role(file), [&]() -> ssize_t {
      const std::size_t allowed = by_->shorten ? by_->shorten(size) : size;
      return allowed == 0 ? 0 : to_->pread(file, into, allowed, offset);
    });
  }
  int fallocate(int file, int mode, off_t offset, off_t size) const {
    return run("fallocate", role(file), [&] { return to_->fallocate(file, mode, offset, size); });
  }
  int ftruncate(int file, off_t size) const {
    return run("ftruncate", role(file), [&] { return to_->ftruncate(file, size); });
  }
  int sync_file_range(int file, off_t offset, off_t size, unsigned flags) const {
    return run("sync_file_range", role(file), [&] { return to_->sync_file_range(file, offset, size, flags); });
  }
  int fsync(int file) const {
    return run("fsync", role(file), [&] { return to_->fsync(file); });
  }
  int fchmod(int file, mode_t mode) const {
    return run("fchmod", role(file), [&] { return to_->fchmod(file, mode); });
  }
  int renameat(int from_folder, const char* from, int to_folder, const char* to) const {
    return run("renameat", to, [&] { return to_->renameat(from_folder, from, to_folder, to); });
  }
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) const {
    return run("renameat2", to, [&] { return to_->renameat2(from_folder, from, to_folder, to, flags); });
  }
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) const {
    return run("linkat", to, [&] { return to_->linkat(from_folder, from, to_folder, to, flags); });
  }
  int unlinkat(int folder, const char* path, int flags) const {
    return run("unlinkat", (flags & AT_REMOVEDIR) != 0 ? "folder" : "file", [&] { return to_->unlinkat(folder, path, flags); });
  }
  int mkdirat(int folder, const char* path, mode_t mode) const {
    return run("mkdirat", "folder", [&] { return to_->mkdirat(folder, path, mode); });
  }
  ssize_t getdents(int folder, void* into, std::size_t size) const {
    return run("getdents", role(folder), [&] { return to_->getdents(folder, into, size); });
  }
  int flock(int file, int operation) const {
    return run("flock", role(file), [&] { return to_->flock(file, operation); });
  }
  int fstatvfs(int file, struct statvfs* into) const {
    return run("fstatvfs", role(file), [&] { return to_->fstatvfs(file, into); });
  }
  void* mmap(std::size_t, int, int, int, off_t) const { return errno = ENODEV, MAP_FAILED; }
  int munmap(void*, std::size_t) const { return errno = EINVAL, -1; }
  ssize_t getrandom(void* into, std::size_t size, unsigned flags) const {
    return run("getrandom", "", [&] { return to_->getrandom(into, size, flags); });
  }

 private:
  std::string role(int file) const {
    const std::lock_guard lock(by_->mutex);
    const auto found = by_->roles.find(file);
    return found == by_->roles.end() ? "?" : found->second;
  }

  template <class Call>
  auto run(const char* name, std::string object, Call real) const -> decltype(real()) {
    watch& w = *by_;
    std::unique_lock lock(w.mutex);
    call made{w.calls++, name, std::move(object)};
    if (w.interruptions_each != 0 && made.name != "close" && made.number % (w.interruptions_each + 1) != w.interruptions_each) return errno = EINTR, -1;
    if (w.before) {
      if (const int error = w.before(made); error != 0) return errno = error, -1;
    }
    for (const std::string& key : {made.name, made.label()}) {
      if (const auto found = w.lacks.find(key); found != w.lacks.end()) return errno = found->second, -1;
    }
    const bool is_watched = bool(w.after);
    if (!is_watched) lock.unlock();
    const auto result = real();
    if (is_watched) {
      const int kept = errno;
      w.after(made);
      errno = kept;
    }
    return result;
  }

  backend* to_;
  watch* by_;
};

}  // namespace durability
#endif
