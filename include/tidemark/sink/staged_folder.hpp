// SPDX-License-Identifier: BSL-1.0
// sink/staged_folder.hpp: a folder that is filled under a temporary name and gets its own in one step (floor: sink).
#ifndef TIDEMARK_SINK_STAGED_FOLDER_HPP
#define TIDEMARK_SINK_STAGED_FOLDER_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_output.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/folder_sync.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/staging_name.hpp>
#include <tidemark/sink/system_error.hpp>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Unless published, the folder and the files that were created in it go when this does. Protocol: docs/durability.md, "A folder".
template <class Ops>
class staged_folder {
 public:
  /// Creates the temporary folder beside `path`. Throws `exists` where there is anything at `path`, `not_found` without its parent.
  staged_folder(const Ops& ops, const std::string& path) : path_(path), parent_(ops), folder_(ops) {
    refuse_unusable_path(path_);
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    split_path parts = split(path_);
    base_ = std::move(parts.base);
    if (base_.empty() || base_ == "." || base_ == "..") {
      throw error({.code = errc::unsafe_path, .file = path_, .problem = "this is no name for a new folder", .advice = "Name a folder that does not exist yet."});
    }
    parent_ = open_folder(ops, AT_FDCWD, parts.folder, path_);
    struct stat status;
    if (retry_interrupted([&] { return ops.fstatat(parent_.get(), base_.c_str(), &status, AT_SYMLINK_NOFOLLOW); }) == 0) fail_existing();
    if (errno != ENOENT) throw_save_errno(errno, path_, "the system does not tell what lies at this path", 0);
    int made = -1;
    do {
      temporary_ = staging_name(ops, base_, path_);
      made = retry_interrupted([&] { return ops.mkdirat(parent_.get(), temporary_.c_str(), 0777); });
    } while (made < 0 && errno == EEXIST);
    if (made < 0) {
      const int number = errno;
      temporary_.clear();
      throw_save_errno(number, path_, "no new folder could be created beside it", 0);
    }
    const int number = retry_interrupted([&] { return ops.openat(parent_.get(), temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0); });
    if (number < 0) {
      const int why = errno;
      release();
      throw_save_errno(why, path_, "its temporary folder could not be opened", 0);
    }
    folder_ = descriptor<Ops>(ops, number);
  }
  staged_folder(const staged_folder&) = delete;
  staged_folder& operator=(const staged_folder&) = delete;
  ~staged_folder() { release(); }

  const std::string& path() const noexcept { return path_; }
  const descriptor<Ops>& parent() const noexcept { return parent_; }

  /// A new file in it, for one writer. May be called by several threads at once.
  file_output<Ops> create(const std::string& name, std::uint64_t total_bytes, bool writes_out_early) {
    const std::string shown = path_ + '/' + name;
    {
      const std::lock_guard lock(mutex_);
      files_.push_back(name);
    }
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int number = retry_interrupted([&] { return ops().openat(folder_.get(), name.c_str(), flags, 0666); });
    if (number < 0) throw_save_errno(errno, shown, "the file could not be created", total_bytes);
    return file_output<Ops>(descriptor<Ops>(ops(), number), shown, total_bytes, writes_out_early);
  }

  /// Makes the entries of the folder durable. Every file in it must have been synced before.
  void sync() {
    if (sync_folder(folder_) < 0) throw_save_errno(errno, path_, "the new folder could not be flushed to the disk", 0);
  }

  /// The step that readers see. Nothing has changed where this throws.
  void publish() {
    int result = retry_interrupted([&] { return ops().renameat2(parent_.get(), temporary_.c_str(), parent_.get(), base_.c_str(), rename_noreplace); });
    if (result < 0 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) {
      // Without the flag a folder can only replace an empty one, which is none that was committed.
      result = retry_interrupted([&] { return ops().renameat(parent_.get(), temporary_.c_str(), parent_.get(), base_.c_str()); });
    }
    if (result < 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)) fail_existing();
    if (result < 0 && errno == ENOENT) throw_save_errno(ENOENT, path_, "the new folder, or the one that it lies in, was removed while it was filled", 0);
    if (result < 0) throw_save_errno(errno, path_, "the new folder could not be renamed to its final name", 0);
    temporary_.clear();
    files_.clear();
  }

  void sync_parent() {
    if (sync_folder(parent_) == 0) return;
    const int number = errno;
    throw error({.code = errc::commit_unknown,
                 .file = path_,
                 .problem = "the new folder is visible, but the folder that it lies in could not be synced (" + std::generic_category().message(number) + ')',
                 .advice = "It may not survive a power cut: do not delete the older checkpoint; save again, and look at the system's log.",
                 .system = number});
  }

 private:
  const Ops& ops() const noexcept { return parent_.ops(); }

  void release() noexcept {
    if (!temporary_.empty()) {
      for (const std::string& name : files_) retry_interrupted([&] { return ops().unlinkat(folder_.get(), name.c_str(), 0); });
      folder_.close();
      retry_interrupted([&] { return ops().unlinkat(parent_.get(), temporary_.c_str(), AT_REMOVEDIR); });
      temporary_.clear();
    }
    folder_.close();
    parent_.close();
  }

  [[noreturn]] void fail_existing() const {
    throw error({.code = errc::exists,
                 .file = path_,
                 .problem = "there is something of this name already",
                 .advice = "A committed folder is never overwritten. It is left as it is; choose another name.",
                 .system = EEXIST});
  }

  std::string path_, base_, temporary_;
  descriptor<Ops> parent_, folder_;
  std::mutex mutex_;
  std::vector<std::string> files_;
};

}  // namespace tidemark::detail
#endif
