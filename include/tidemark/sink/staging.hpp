// SPDX-License-Identifier: BSL-1.0
// sink/staging.hpp: the new file while it has no name, or a temporary one, and the step that gives it the final one (floor: sink).
#ifndef TIDEMARK_SINK_STAGING_HPP
#define TIDEMARK_SINK_STAGING_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/folder_sync.hpp>
#include <tidemark/sink/staging_name.hpp>
#include <tidemark/sink/system_error.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace tidemark::detail {

/// Owns the folder and the temporary name; unless published, the name goes when this does.
template <class Ops>
class staging {
 public:
  explicit staging(file_target<Ops>&& target) noexcept : target_(std::move(target)) {}
  staging(staging&& other) noexcept : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})) {}
  staging& operator=(staging&& other) noexcept {
    if (this != &other) {
      release();
      target_ = std::move(other.target_);
      temporary_ = std::exchange(other.temporary_, {});
    }
    return *this;
  }
  ~staging() { release(); }

  const std::string& path() const noexcept { return target_.path; }
  bool is_named() const noexcept { return !temporary_.empty(); }

  /// A file that has no name leaves nothing behind when the process is killed, but it can replace no other.
  descriptor<Ops> create(bool is_new, std::uint64_t total_bytes) {
    if (is_new && target_.exists) fail_existing();
    if (is_new) {
      if (auto nameless = create_nameless(total_bytes); nameless.is_open()) return nameless;
    }
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int number = -1;
    do {
      std::string name = staging_name(ops(), target_.base, path());
      // With the old file's permissions from the start: nobody may read the new content who could not read the old.
      number = retry_interrupted([&] { return ops().openat(folder(), name.c_str(), flags, target_.mode); });
      if (number >= 0) temporary_ = std::move(name);
    } while (number < 0 && errno == EEXIST);
    if (number < 0) fail_to_create(errno, total_bytes);
    descriptor<Ops> file(ops(), number);
    if (target_.exists && retry_interrupted([&] { return ops().fchmod(number, target_.mode); }) < 0) {  // past the umask
      throw_save_errno(errno, path(), "the permissions of the old file could not be given to the new one", 0);
    }
    return file;
  }

  /// The step that readers see. Nothing has changed where this throws.
  void publish(const descriptor<Ops>& file, bool is_new) {
    const int result = !is_named() ? link_nameless(file) : is_new ? rename_to_unused() : rename_over();
    if (result < 0 && is_new && errno == EEXIST) fail_existing();
    if (result < 0 && errno == ENOENT) throw_save_errno(ENOENT, path(), "the new file or its folder was removed while it was saved", 0);
    if (result < 0) {
      throw_save_errno(errno, path(), is_named() ? "the new file could not be renamed to its final name" : "the new file could not be given its name", 0);
    }
    temporary_.clear();
  }

  void sync_folder() {
    if (detail::sync_folder(target_.folder) < 0) fail_after_publishing(errno, "its folder could not be synced");
  }

  [[noreturn]] void fail_after_publishing(int number, const char* problem) {
    release();
    throw error({.code = errc::commit_unknown,
                 .file = path(),
                 .problem = std::string("the new file is visible, but ") + problem + " (" + std::generic_category().message(number) + ')',
                 .advice = "It may not survive a power cut: do not delete the older checkpoint; save again, and look at the system's log.",
                 .system = number});
  }

  /// Removes the temporary name, if any, and closes the folder.
  void release() noexcept {
    if (is_named()) retry_interrupted([&] { return ops().unlinkat(folder(), temporary_.c_str(), 0); });
    temporary_.clear();
    target_.folder.close();
  }

 private:
  const Ops& ops() const noexcept { return target_.folder.ops(); }
  int folder() const noexcept { return target_.folder.get(); }

  static std::string nameless_path(int number) { return "/proc/self/fd/" + std::to_string(number); }

  /// Not open where the filesystem knows no nameless files, or where /proc, by which they get their name, is not there.
  descriptor<Ops> create_nameless(std::uint64_t total_bytes) {
    const int number = retry_interrupted([&] { return ops().openat(folder(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, target_.mode); });
    if (number < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT) fail_to_create(errno, total_bytes);
    descriptor<Ops> file(ops(), number);
    struct stat status;
    if (file.is_open() && ops().fstatat(AT_FDCWD, nameless_path(number).c_str(), &status, 0) < 0) file.close();
    return file;
  }

  int link_nameless(const descriptor<Ops>& file) {
    const std::string from = nameless_path(file.get());
    return retry_interrupted([&] { return ops().linkat(AT_FDCWD, from.c_str(), folder(), target_.base.c_str(), AT_SYMLINK_FOLLOW); });
  }

  int rename_over() {
    return retry_interrupted([&] { return ops().renameat(folder(), temporary_.c_str(), folder(), target_.base.c_str()); });
  }

  /// Some filesystems can only rename over what is there; a hard link refuses to, and the temporary name is then one too many.
  int rename_to_unused() {
    int result = retry_interrupted([&] { return ops().renameat2(folder(), temporary_.c_str(), folder(), target_.base.c_str(), rename_noreplace); });
    if (result == 0 || (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)) return result;
    result = retry_interrupted([&] { return ops().linkat(folder(), temporary_.c_str(), folder(), target_.base.c_str(), 0); });
    if (result == 0) retry_interrupted([&] { return ops().unlinkat(folder(), temporary_.c_str(), 0); });
    return result;
  }

  [[noreturn]] void fail_existing() const {
    throw error({.code = errc::exists,
                 .file = path(),
                 .problem = "there is a file of this name already",
                 .advice = "It is left as it is. Choose another name, or .mode = tidemark::file_mode::replace.",
                 .system = EEXIST});
  }

  [[noreturn]] void fail_to_create(int number, std::uint64_t total_bytes) const {
    throw_save_errno(number, path(), "no new file could be created in its folder", total_bytes);
  }

  file_target<Ops> target_;
  std::string temporary_;
};

}  // namespace tidemark::detail
#endif
