// SPDX-License-Identifier: BSL-1.0
// tests/sink/scripted_ops.hpp: a file_ops that records every call and, by script, fails, interrupts, shortens or kills at the n-th.
#ifndef TIDEMARK_TESTS_SINK_SCRIPTED_OPS_HPP
#define TIDEMARK_TESTS_SINK_SCRIPTED_OPS_HPP

#include <tidemark/sink/file_ops.hpp>

#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace scripted {

struct call {
  std::string name;    ///< "fsync"
  std::string object;  ///< "folder", "file", or what a rename, link or unlink is about
  std::string bytes;   ///< what a write was given and the system took
  int flags = 0;       ///< of an open
  mode_t mode = 0;     ///< of an open
};

struct script {
  std::vector<call> trace;
  int fail_at = -1;  ///< number of the call that fails with `error`, the real one not being made
  int error = 0;
  int kill_at = -1;                                      ///< number of the call before which the process is killed
  bool kills_after = false;                              ///< kill after the call instead
  bool interrupts = false;                               ///< every call but close fails with EINTR twice before it works
  std::function<std::size_t(std::size_t)> shorten = {};  ///< how many of the bytes asked for a write or read may handle
  std::map<std::string, int> always;                     ///< calls that always fail, with which errno: what a filesystem lacks
  bool keeps_bytes = false;
  std::map<int, std::string> roles = {};
  int interruptions = 0;

  /// Whether the call that was to fail gives the file its name, which needs room for an entry, not for bytes.
  bool was_naming() const {
    const auto n = static_cast<std::size_t>(fail_at);
    return fail_at >= 0 && n < trace.size() && (trace[n].name.starts_with("rename") || trace[n].name == "linkat");
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& c : trace) result.push_back(c.object.empty() ? c.name : c.name + " " + c.object);
    return result;
  }
};

/// A handle on a script, so copies write into the same trace.
class ops {
 public:
  explicit ops(script& to) : script_(&to) {}

  int openat(int folder, const char* path, int flags, mode_t mode) const {
    const bool is_folder = (flags & O_DIRECTORY) != 0 && (flags & O_TMPFILE) != O_TMPFILE;
    const std::string role = is_folder ? "folder" : (flags & O_TMPFILE) == O_TMPFILE ? "nameless" : "file";
    const int result = run("openat", role, [&] { return real_.openat(folder, path, flags, mode); });
    if (!script_->trace.empty() && script_->trace.back().name == "openat") {
      script_->trace.back().flags = flags;
      script_->trace.back().mode = mode;
    }
    if (result >= 0) script_->roles[result] = role == "folder" ? "folder" : "file";
    return result;
  }
  int close(int file) const {
    // The system closes even when it reports a failure.
    bool was_closed = false;
    const int result = run("close", role(file), [&] {
      was_closed = true;
      return real_.close(file);
    });
    if (!was_closed) {
      const int kept = errno;
      real_.close(file);
      errno = kept;
    }
    return result;
  }
  int fstat(int file, struct stat* into) const {
    return run("fstat", role(file), [&] { return real_.fstat(file, into); });
  }
  int fstatat(int folder, const char* path, struct stat* into, int flags) const {
    return run("fstatat", folder == AT_FDCWD ? "proc" : "target", [&] { return real_.fstatat(folder, path, into, flags); });
  }
  ssize_t readlinkat(int folder, const char* path, char* into, std::size_t size) const {
    return run("readlinkat", "target", [&] { return real_.readlinkat(folder, path, into, size); });
  }
  ssize_t write(int file, const void* from, std::size_t size) const {
    const ssize_t taken = run("write", role(file), [&]() -> ssize_t {
      const std::size_t allowed = script_->shorten ? script_->shorten(size) : size;
      return allowed == 0 ? 0 : real_.write(file, from, allowed);
    });
    if (taken > 0 && script_->keeps_bytes) script_->trace.back().bytes.assign(static_cast<const char*>(from), static_cast<std::size_t>(taken));
    return taken;
  }
  ssize_t pread(int file, void* into, std::size_t size, off_t offset) const {
    return run("pread", role(file), [&]() -> ssize_t {
      const std::size_t allowed = script_->shorten ? script_->shorten(size) : size;
      return allowed == 0 ? 0 : real_.pread(file, into, allowed, offset);
    });
  }
  int fallocate(int file, int mode, off_t offset, off_t size) const {
    return run("fallocate", role(file), [&] { return real_.fallocate(file, mode, offset, size); });
  }
  int ftruncate(int file, off_t size) const {
    return run("ftruncate", role(file), [&] { return real_.ftruncate(file, size); });
  }
  int sync_file_range(int file, off_t offset, off_t size, unsigned flags) const {
    return run("sync_file_range", role(file), [&] { return real_.sync_file_range(file, offset, size, flags); });
  }
  int fsync(int file) const {
    return run("fsync", role(file), [&] { return real_.fsync(file); });
  }
  int fchmod(int file, mode_t mode) const {
    return run("fchmod", role(file), [&] { return real_.fchmod(file, mode); });
  }
  int renameat(int from_folder, const char* from, int to_folder, const char* to) const {
    return run("renameat", to, [&] { return real_.renameat(from_folder, from, to_folder, to); });
  }
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) const {
    return run("renameat2", to, [&] { return real_.renameat2(from_folder, from, to_folder, to, flags); });
  }
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) const {
    return run("linkat", to, [&] { return real_.linkat(from_folder, from, to_folder, to, flags); });
  }
  int unlinkat(int folder, const char* path, int flags) const {
    return run("unlinkat", "temporary", [&] { return real_.unlinkat(folder, path, flags); });
  }
  int mkdirat(int folder, const char* path, mode_t mode) const {
    return run("mkdirat", path, [&] { return real_.mkdirat(folder, path, mode); });
  }
  ssize_t getdents(int folder, void* into, std::size_t size) const {
    return run("getdents", role(folder), [&] { return real_.getdents(folder, into, size); });
  }
  int flock(int file, int operation) const {
    return run("flock", role(file), [&] { return real_.flock(file, operation); });
  }
  int fstatvfs(int file, struct statvfs* into) const {
    return run("fstatvfs", role(file), [&] { return real_.fstatvfs(file, into); });
  }
  void* mmap(std::size_t size, int protection, int flags, int file, off_t offset) const {
    void* result = MAP_FAILED;
    run("mmap", role(file), [&] { return (result = real_.mmap(size, protection, flags, file, offset)) == MAP_FAILED ? -1 : 0; });
    return result;
  }
  int munmap(void* address, std::size_t size) const {
    return run("munmap", "", [&] { return real_.munmap(address, size); });
  }
  ssize_t getrandom(void* into, std::size_t size, unsigned flags) const {
    return run("getrandom", "", [&] { return real_.getrandom(into, size, flags); });
  }

 private:
  std::string role(int file) const { return script_->roles.count(file) ? script_->roles.at(file) : "?"; }

  template <class Call>
  auto run(const std::string& name, const std::string& object, Call real) const -> decltype(real()) {
    script& s = *script_;
    if (s.interrupts && name != "close" && name != "mmap" && s.interruptions++ % 3 != 2) return errno = EINTR, -1;
    const int number = static_cast<int>(s.trace.size());
    s.trace.push_back({name, object, {}, 0, 0});
    if (number == s.kill_at && !s.kills_after) ::raise(SIGKILL);
    if (number == s.fail_at) return errno = s.error, -1;
    for (const std::string& key : {name, name + " " + object}) {
      if (const auto lacks = s.always.find(key); lacks != s.always.end()) return errno = lacks->second, -1;
    }
    const auto result = real();
    if (number == s.kill_at) ::raise(SIGKILL);
    return result;
  }

  script* script_;
  tidemark::file_ops real_;
};

}  // namespace scripted
#endif
