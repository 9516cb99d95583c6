// SPDX-License-Identifier: BSL-1.0
// durability/disk.hpp: a filesystem in memory that answers as a real one does and records what each call changed.
#ifndef TIDEMARK_TESTS_DURABILITY_DISK_HPP
#define TIDEMARK_TESTS_DURABILITY_DISK_HPP

#include "calls.hpp"

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>

namespace durability {

/// Files and folders by number; 0 is the root. What no folder names is not reachable, as on a real disk.
struct node {
  bool is_folder = false;
  mode_t mode = 0;
  std::string bytes = {};
  std::map<std::string, int> entries = {};
};
using image = std::vector<node>;

/// A change of one node, in the order of the calls. `begin` and `acknowledge` are what the program knows: which version it now writes, and which
/// one a call has promised.
struct event {
  enum class kind { data, size, enter, leave, rename, sync, begin, acknowledge };
  kind what;
  int node = 0;             ///< the file, or the folder whose entries change
  std::size_t offset = 0;   ///< of data; the new size
  std::string bytes = {};   ///< of data
  std::string name = {};    ///< of an entry
  std::string from = {};    ///< the entry that a rename takes away
  int target = 0;           ///< what the entry leads to; the version
};

inline void carry_out(image& disk, const event& e) {
  node& at = disk[static_cast<std::size_t>(e.node)];
  switch (e.what) {
    case event::kind::data:
      if (at.bytes.size() < e.offset + e.bytes.size()) at.bytes.resize(e.offset + e.bytes.size());
      at.bytes.replace(e.offset, e.bytes.size(), e.bytes);
      break;
    case event::kind::size: at.bytes.resize(e.offset); break;
    case event::kind::enter: at.entries[e.name] = e.target; break;
    case event::kind::leave: at.entries.erase(e.name); break;
    case event::kind::rename:
      at.entries.erase(e.from);
      at.entries[e.name] = e.target;
      break;
    default: break;
  }
}

class disk : public backend {
 public:
  explicit disk(image content = {node{true, 0755}}) : now_(std::move(content)) {}

  const image& now() const { return now_; }
  std::vector<event> events;
  bool records = false;

  void note(event::kind what, int version) { change({.what = what, .target = version}); }
  std::size_t open_files() const { return files_.size(); }

  int openat(int folder, const char* path, int flags, mode_t mode) override {
    const std::lock_guard lock(mutex_);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
      const auto in = find(folder, path);
      if (!in) return fail(ENOENT);
      return open_node(make(false, mode), flags);
    }
    const auto at = place_of(folder, path);
    if (!at) return -1;
    if (at->node && (flags & O_EXCL) != 0 && (flags & O_CREAT) != 0) return fail(EEXIST);
    if (!at->node && (flags & O_CREAT) == 0) return fail(ENOENT);
    int number = 0;
    if (at->node) {
      number = *at->node;
    } else {
      number = make(false, mode);
      change({.what = event::kind::enter, .node = at->folder, .name = at->name, .target = number});
    }
    const bool is_folder = get(number).is_folder;
    if (!is_folder && (flags & O_DIRECTORY) != 0) return fail(ENOTDIR);
    if (is_folder && (flags & O_ACCMODE) != O_RDONLY) return fail(EISDIR);
    if ((flags & O_TRUNC) != 0 && !is_folder) change({.what = event::kind::size, .node = number, .offset = 0});
    return open_node(number, flags);
  }
  int close(int file) override {
    const std::lock_guard lock(mutex_);
    return files_.erase(file) == 1 ? 0 : fail(EBADF);
  }
  int fstat(int file, struct stat* into) override {
    const std::lock_guard lock(mutex_);
    if (files_.count(file) == 0) return fail(EBADF);
    return describe(files_[file].node, into);
  }
  int fstatat(int folder, const char* path, struct stat* into, int) override {
    const std::lock_guard lock(mutex_);
    const auto at = find(folder, path);
    return at ? describe(*at, into) : -1;
  }
  ssize_t readlinkat(int folder, const char* path, char*, std::size_t) override {
    const std::lock_guard lock(mutex_);
    return find(folder, path) ? fail(EINVAL) : -1;
  }
  ssize_t write(int file, const void* from, std::size_t size) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end() || (found->second.flags & O_ACCMODE) == O_RDONLY) return fail(EBADF);
    opened& at = found->second;
    if ((at.flags & O_APPEND) != 0) at.position = get(at.node).bytes.size();
    change({.what = event::kind::data, .node = at.node, .offset = at.position, .bytes = std::string(static_cast<const char*>(from), size)});
    at.position += size;
    return static_cast<ssize_t>(size);
  }
  ssize_t pread(int file, void* into, std::size_t size, off_t offset) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end() || (found->second.flags & O_ACCMODE) == O_WRONLY) return fail(EBADF);
    const node& at = get(found->second.node);
    if (at.is_folder) return fail(EISDIR);
    const auto start = static_cast<std::size_t>(offset);
    if (start >= at.bytes.size()) return 0;
    const std::size_t got = std::min(size, at.bytes.size() - start);
    std::memcpy(into, at.bytes.data() + start, got);
    return static_cast<ssize_t>(got);
  }
  int fallocate(int file, int, off_t offset, off_t size) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end()) return fail(EBADF);
    const auto end = static_cast<std::size_t>(offset + size);
    if (get(found->second.node).bytes.size() < end) change({.what = event::kind::size, .node = found->second.node, .offset = end});
    return 0;
  }
  int ftruncate(int file, off_t size) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end() || (found->second.flags & O_ACCMODE) == O_RDONLY) return fail(found == files_.end() ? EBADF : EINVAL);
    change({.what = event::kind::size, .node = found->second.node, .offset = static_cast<std::size_t>(size)});
    return 0;
  }
  int sync_file_range(int, off_t, off_t, unsigned) override { return 0; }  // makes nothing durable
  int fsync(int file) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end()) return fail(EBADF);
    change({.what = event::kind::sync, .node = found->second.node});
    return 0;
  }
  int fchmod(int file, mode_t mode) override {
    const std::lock_guard lock(mutex_);
    if (files_.count(file) == 0) return fail(EBADF);
    get(files_[file].node).mode = mode;
    return 0;
  }
  int renameat(int from_folder, const char* from, int to_folder, const char* to) override { return renameat2(from_folder, from, to_folder, to, 0); }
  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) override {
    const std::lock_guard lock(mutex_);
    const auto source = place_of(from_folder, from);
    const auto target = source ? place_of(to_folder, to) : std::nullopt;
    if (!target) return -1;
    if (!source->node) return fail(ENOENT);
    if (target->node) {
      if ((flags & tidemark::detail::rename_noreplace) != 0) return fail(EEXIST);
      const node &moved = get(*source->node), &there = get(*target->node);
      if (*source->node == *target->node) return 0;
      if (there.is_folder && !moved.is_folder) return fail(EISDIR);
      if (!there.is_folder && moved.is_folder) return fail(ENOTDIR);
      if (!there.entries.empty()) return fail(ENOTEMPTY);
    }
    if (source->folder == target->folder) {
      change({.what = event::kind::rename, .node = source->folder, .name = target->name, .from = source->name, .target = *source->node});
    } else {  // two folders may reach the disk apart
      change({.what = event::kind::enter, .node = target->folder, .name = target->name, .target = *source->node});
      change({.what = event::kind::leave, .node = source->folder, .name = source->name});
    }
    return 0;
  }
  int linkat(int from_folder, const char* from, int to_folder, const char* to, int) override {
    const std::lock_guard lock(mutex_);
    const auto source = find(from_folder, from);
    const auto target = source ? place_of(to_folder, to) : std::nullopt;
    if (!target) return -1;
    if (target->node) return fail(EEXIST);
    if (get(*source).is_folder) return fail(EPERM);
    change({.what = event::kind::enter, .node = target->folder, .name = target->name, .target = *source});
    return 0;
  }
  int unlinkat(int folder, const char* path, int flags) override {
    const std::lock_guard lock(mutex_);
    const auto at = place_of(folder, path);
    if (!at) return -1;
    if (!at->node) return fail(ENOENT);
    const node& there = get(*at->node);
    if (there.is_folder && (flags & AT_REMOVEDIR) == 0) return fail(EISDIR);
    if (!there.is_folder && (flags & AT_REMOVEDIR) != 0) return fail(ENOTDIR);
    if (!there.entries.empty()) return fail(ENOTEMPTY);
    change({.what = event::kind::leave, .node = at->folder, .name = at->name});
    return 0;
  }
  int mkdirat(int folder, const char* path, mode_t mode) override {
    const std::lock_guard lock(mutex_);
    const auto at = place_of(folder, path);
    if (!at) return -1;
    if (at->node) return fail(EEXIST);
    change({.what = event::kind::enter, .node = at->folder, .name = at->name, .target = make(true, mode)});
    return 0;
  }
  /// Two entries a call, so that whoever lists a folder must ask again.
  ssize_t getdents(int folder, void* into, std::size_t size) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(folder);
    if (found == files_.end()) return fail(EBADF);
    opened& at = found->second;
    if (!get(at.node).is_folder) return fail(ENOTDIR);
    std::vector<std::pair<std::string, int>> all{{".", at.node}, {"..", 0}};
    for (const auto& entry : get(at.node).entries) all.push_back(entry);
    std::size_t used = 0;
    for (int given = 0; given < 2 && at.position < all.size(); ++given) {
      const auto& [name, target] = all[at.position];
      constexpr std::size_t head = 8 + 8 + 2 + 1;
      const std::size_t length = (head + name.size() + 1 + 7) / 8 * 8;
      if (used + length > size) break;
      char* const to = static_cast<char*>(into) + used;
      std::memset(to, 0, length);
      const auto inode = static_cast<std::uint64_t>(target) + 1;
      const auto length16 = static_cast<std::uint16_t>(length);
      std::memcpy(to, &inode, 8);
      std::memcpy(to + 16, &length16, 2);
      to[18] = get(target).is_folder ? DT_DIR : DT_REG;
      std::memcpy(to + head, name.data(), name.size());
      used += length;
      ++at.position;
    }
    return static_cast<ssize_t>(used);
  }
  int flock(int file, int operation) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end()) return fail(EBADF);
    const bool takes = (operation & LOCK_UN) == 0;
    for (const auto& [number, other] : files_) {
      if (takes && number != file && other.node == found->second.node && other.is_locked) return fail(EWOULDBLOCK);
    }
    found->second.is_locked = takes;
    return 0;
  }
  int fstatvfs(int, struct statvfs* into) override {
    *into = {};
    into->f_bsize = into->f_frsize = 4096;
    into->f_blocks = into->f_bfree = into->f_bavail = std::uint64_t{1} << 30;
    into->f_files = into->f_ffree = into->f_favail = 1000000;
    return 0;
  }
  /// The same bits in every run, so that equal states have equal names.
  ssize_t getrandom(void* into, std::size_t size, unsigned) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < size; ++i) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      static_cast<unsigned char*>(into)[i] = static_cast<unsigned char>(random_ >> 56);
    }
    return static_cast<ssize_t>(size);
  }

 private:
  struct opened {
    int node = 0, flags = 0;
    std::size_t position = 0;
    bool is_locked = false;
  };
  struct place {
    int folder;
    std::string name;
    std::optional<int> node;
  };

  static int fail(int error) { return errno = error, -1; }
  node& get(int number) { return now_[static_cast<std::size_t>(number)]; }
  int make(bool is_folder, mode_t mode) {
    now_.push_back({is_folder, mode & 0777});
    return static_cast<int>(now_.size()) - 1;
  }
  int open_node(int number, int flags) {
    const int file = next_file_++;
    files_[file] = {number, flags, 0, false};
    return file;
  }
  void change(event e) {
    carry_out(now_, e);
    if (records) events.push_back(std::move(e));
  }
  int describe(int number, struct stat* into) {
    *into = {};
    into->st_mode = get(number).mode | (get(number).is_folder ? S_IFDIR : S_IFREG);
    into->st_size = static_cast<off_t>(get(number).bytes.size());
    into->st_ino = static_cast<ino_t>(number) + 1;
    into->st_nlink = 1;
    return 0;
  }

  /// Where the last part of a path lies or would lie; errno where the way there is barred.
  std::optional<place> place_of(int folder, std::string_view path) {
    int at = 0;
    if (path.empty()) return errno = ENOENT, std::nullopt;
    if (!path.starts_with('/') && folder != AT_FDCWD) {
      if (files_.count(folder) == 0) return errno = EBADF, std::nullopt;
      at = files_[folder].node;
    }
    std::vector<std::string> parts;
    while (!path.empty()) {
      const std::size_t slash = path.find('/');
      if (slash != 0 && path.substr(0, slash) != ".") parts.emplace_back(path.substr(0, slash));
      path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    }
    if (parts.empty()) return place{at, ".", at};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!get(at).is_folder) return errno = ENOTDIR, std::nullopt;
      if (parts[i].size() > 255) return errno = ENAMETOOLONG, std::nullopt;
      const auto found = get(at).entries.find(parts[i]);
      const bool is_there = found != get(at).entries.end();
      if (i + 1 == parts.size()) return place{at, parts[i], is_there ? std::optional<int>(found->second) : std::nullopt};
      if (!is_there) return errno = ENOENT, std::nullopt;
      at = found->second;
    }
    return std::nullopt;
  }
  std::optional<int> find(int folder, std::string_view path) {
    constexpr std::string_view own = "/proc/self/fd/";
    if (path.starts_with(own)) {
      const auto found = files_.find(std::stoi(std::string(path.substr(own.size()))));
      if (found == files_.end()) return errno = ENOENT, std::nullopt;
      return found->second.node;
    }
    const auto at = place_of(folder, path);
    if (at && !at->node) return errno = ENOENT, std::nullopt;
    return at ? at->node : std::nullopt;
  }

  image now_;
  std::map<int, opened> files_;
  int next_file_ = 1 << 20;  // no number that the system gives
  std::uint64_t random_ = 42;
  std::mutex mutex_;
};

}  // namespace durability
#endif
