// SPDX-License-Identifier: BSL-1.0
// sink/append_file.hpp: a file that grows at its end, is synced when asked, and can be cut back to an earlier end (floor: sink).
#ifndef TIDEMARK_SINK_APPEND_FILE_HPP
#define TIDEMARK_SINK_APPEND_FILE_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/digest.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/folder_sync.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/system_error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tidemark::detail {

/// Opens `path` for appending, and creates it where nothing is there; links are followed, what is no regular file is refused. One writer:
/// it
/// keeps count of the end itself.
template <class Ops>
class append_file {
 public:
  explicit append_file(std::string path, Ops ops = {}) : path_(std::move(path)), file_(ops), folder_(std::move(ops)) {
    refuse_unusable_path(path_);
    const Ops& calls = file_.ops();
    // Now, because by the first sync a relative path may lead elsewhere. An old log may lie in a folder that nobody may list.
    folder_ = descriptor<Ops>(calls, retry_interrupted([&] { return calls.openat(AT_FDCWD, split(path_).folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); }));
    const int folder_problem = folder_.is_open() ? 0 : errno;
    const auto fail_folder = [&] { throw_errno(folder_problem, {.file = path_, .problem = "its folder could not be opened"}); };
    if (folder_problem != 0 && folder_problem != EACCES) fail_folder();
    constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    int number = retry_interrupted([&] { return calls.openat(AT_FDCWD, path_.c_str(), flags, 0); });
    if (number < 0 && errno == ENOENT) {
      if (folder_problem != 0) fail_folder();  // its new entry could not be synced
      number = retry_interrupted([&] { return calls.openat(AT_FDCWD, path_.c_str(), flags | O_CREAT, 0666); });
    }
    if (number < 0) throw_errno(errno, {.file = path_, .problem = "the file could not be opened to append to it"});
    file_ = descriptor<Ops>(calls, number);
    const struct stat status = look();
    if (!S_ISREG(status.st_mode)) {
      throw error({.code = errc::unsafe_path,
                   .file = path_,
                   .problem = "this cannot be appended to and cut",
                   .expected = "a regular file or nothing",
                   .found = S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device"});
    }
    end_ = static_cast<std::uint64_t>(status.st_size);
    is_synced_ = false;  // who wrote what is there may not have, nor who made its name
  }

  const std::string& path() const noexcept { return path_; }
  std::uint64_t end() const noexcept { return end_; }

  /// All of `bytes` in one write where the system takes them so; nothing of them where it throws, as far as they can be cut off again.
  void append(bytes_view bytes) {
    is_synced_ = false;
    std::uint64_t written = 0;
    while (!bytes.empty()) {
      const ssize_t taken = retry_interrupted([&] { return file_.ops().write(file_.get(), bytes.data(), bytes.size()); });
      if (taken <= 0) {
        const int number = taken < 0 ? errno : EIO;
        retry_interrupted([&] { return file_.ops().ftruncate(file_.get(), static_cast<off_t>(end_)); });
        throw_errno(number, {.file = path_, .problem = "writing to its end failed"});
      }
      written += static_cast<std::uint64_t>(taken);
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
    }
    end_ += written;
  }

  /// All that was appended is on the disk, and the file's name. No call where nothing has changed. A failure stays one: the system has
  /// forgotten which pages were lost.
  void sync() {
    if (has_lost_) fail_sync(EIO);
    if (!is_synced_ && retry_interrupted([&] { return file_.ops().fsync(file_.get()); }) < 0) {
      has_lost_ = true;
      fail_sync(errno);
    }
    is_synced_ = true;
    if (!folder_.is_open()) return;
    if (sync_folder(folder_) < 0) throw_errno(errno, {.file = path_, .problem = "its folder could not be synced"});
    folder_.close();
  }

  /// Digest of the last 4 KiB before `position`, by which another file, or another history of this one, is told apart.
  digest128 digest_before(std::uint64_t position) const {
    const std::uint64_t size = static_cast<std::uint64_t>(look().st_size);
    if (size < position) {
      throw error({.code = errc::truncated,
                   .file = path_,
                   .problem = "the file is shorter than what was written to it",
                   .expected = std::to_string(position) + " bytes or more",
                   .found = std::to_string(size)});
    }
    std::array<std::byte, 4096> tail;
    const std::span<std::byte> wanted = std::span(tail).first(static_cast<std::size_t>((std::min)(position, std::uint64_t{tail.size()})));
    std::size_t done = 0;
    while (done < wanted.size()) {
      const auto at = static_cast<off_t>(position - wanted.size() + done);
      const ssize_t got = retry_interrupted([&] { return file_.ops().pread(file_.get(), wanted.data() + done, wanted.size() - done, at); });
      if (got < 0) throw_errno(errno, {.file = path_, .problem = "its end could not be read"});
      if (got == 0) throw error({.code = errc::truncated, .file = path_, .problem = "something shortens the file while it is read"});
      done += static_cast<std::size_t>(got);
    }
    return digest_of(wanted);
  }

  void cut(std::uint64_t position) {
    if (retry_interrupted([&] { return file_.ops().ftruncate(file_.get(), static_cast<off_t>(position)); }) < 0) {
      throw_errno(errno, {.file = path_, .problem = "it could not be cut back to " + std::to_string(position) + " bytes"});
    }
    end_ = position;
    is_synced_ = false;
  }

 private:
  struct stat look() const {
    struct stat status;
    if (retry_interrupted([&] { return file_.ops().fstat(file_.get(), &status); }) < 0) {
      throw_errno(errno, {.file = path_, .problem = "its size could not be read"});
    }
    return status;
  }

  [[noreturn]] void fail_sync(int number) const {
    throw_errno(number, {.file = path_, .problem = "what was appended could not be flushed to the disk"});
  }

  std::string path_;
  descriptor<Ops> file_;
  descriptor<Ops> folder_;  ///< open until its entry for the file is synced
  std::uint64_t end_ = 0;
  bool is_synced_ = true;
  bool has_lost_ = false;
};

}  // namespace tidemark::detail
#endif
