// SPDX-License-Identifier: BSL-1.0
// sink/folder_lock.hpp: keeps a second writer out of a folder, in this process and in others (floor: sink).
#ifndef TIDEMARK_SINK_FOLDER_LOCK_HPP
#define TIDEMARK_SINK_FOLDER_LOCK_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/system_error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tidemark {

/// The right to write into a folder, which one holder has at a time. A value that is moved, never copied; its end gives the right back.
///
///     tidemark::folder_lock writer{"run"};      // throws error (locked) that says who holds it
///
/// It is an `flock` of the file `.lock` in the folder, which stays there: removing it would let two in. Readers need no lock.
/// The system releases it when the holder ends, however that ends. A child that the holder forks shares the lock: it is free when both have
/// ended or started another program. Advisory: it keeps out those who ask. Over NFS it works between machines where the server grants such
/// locks.
template <class Ops>
class basic_folder_lock {
 public:
  static constexpr const char* file_name = ".lock";

  /// Takes the lock of a folder that exists, or throws at once: `locked`, naming the holder; `unsupported` where the filesystem has no
  /// locks;
  /// `not_found`, `unsafe_path` (`.lock` is a link, folder, pipe or device), `no_space` or `io`. Cost: five system calls; nothing is
  /// synced.
  template <detail::PathLike P>
  explicit basic_folder_lock(const P& folder, Ops ops = {}) : path_(detail::path_text(folder)), file_(std::move(ops)) {
    detail::refuse_unusable_path(path_);
    const Ops& calls = file_.ops();
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const int number = detail::retry_interrupted([&] { return calls.openat(AT_FDCWD, path_.c_str(), flags, 0); });
    if (number < 0) detail::throw_errno(errno, {.file = path_, .problem = "the folder could not be opened to lock it"});
    take(detail::descriptor<Ops>(calls, number));
  }

  /// The same for a folder that is open already, which `path` names in messages.
  basic_folder_lock(const detail::descriptor<Ops>& folder, std::string path) : path_(std::move(path)), file_(folder.ops()) { take(folder); }

  basic_folder_lock(basic_folder_lock&&) noexcept = default;
  basic_folder_lock& operator=(basic_folder_lock&&) noexcept = default;

  /// False after it was moved from or released.
  bool is_held() const noexcept { return file_.is_open(); }
  const std::string& path() const noexcept { return path_; }

  /// Gives the lock back before the end.
  void release() noexcept { file_.close(); }

 private:
  void take(const detail::descriptor<Ops>& folder) {
    const Ops& ops = file_.ops();
    // O_NONBLOCK, O_NOCTTY: a device planted there could keep us waiting, or become our terminal.
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const int number = detail::retry_interrupted([&] { return ops.openat(folder.get(), file_name, flags, 0666); });
    if (number < 0) fail_to_open(errno);
    detail::descriptor<Ops> file(ops, number);
    struct stat status;
    if (detail::retry_interrupted([&] { return ops.fstat(number, &status); }) < 0) fail(errno, "the system does not tell what its .lock is");
    if (!S_ISREG(status.st_mode)) refuse_kind();
    if (detail::retry_interrupted([&] { return ops.flock(number, LOCK_EX | LOCK_NB); }) < 0) {
      if (errno == EWOULDBLOCK) fail_locked(file);
      if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) fail_without_locks(errno);
      fail(errno, "its .lock could not be locked");
    }
    sign(file);
    file_ = std::move(file);
  }

  /// Who holds the lock, for the message that others get. What cannot be written is not needed: the lock is held all the same.
  static void sign(const detail::descriptor<Ops>& file) noexcept {
    std::array<char, 512> text{};
    const std::size_t length = describe_holder(text);
    const Ops& ops = file.ops();
    if (detail::retry_interrupted([&] { return ops.ftruncate(file.get(), 0); }) < 0) return;
    detail::retry_interrupted([&] { return ops.write(file.get(), text.data(), length); });
  }

  /// "process 4711 on node7 since 2026-11-30 16:31:39 UTC\n"
  static std::size_t describe_holder(std::array<char, 512>& text) noexcept {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) < 0 || host[0] == '\0') host = {"an unnamed machine"};
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    std::array<char, 32> when{};
    if (::gmtime_r(&now, &utc) != nullptr) std::strftime(when.data(), when.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
    const auto process = static_cast<long>(::getpid());
    const int length = std::snprintf(text.data(), text.size(), "process %ld on %s since %s\n", process, host.data(), when.data());
    return length < 0 ? 0 : static_cast<std::size_t>(length) < text.size() ? static_cast<std::size_t>(length) : text.size() - 1;
  }

  [[noreturn]] void fail_locked(const detail::descriptor<Ops>& file) const {
    std::array<char, 512> text;
    const ssize_t got = detail::retry_interrupted([&] { return file.ops().pread(file.get(), text.data(), text.size(), 0); });
    std::string_view holder(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    holder = holder.substr(0, holder.find('\n'));
    throw error({.code = errc::locked,
                 .file = path_,
                 .problem = holder.starts_with("process " + std::to_string(::getpid()) + " on ") ? "this process writes into this folder already" : "another run writes into this folder",
                 .found = holder.empty() ? "a holder that has not said its name" : std::string(holder),
                 .advice = "Wait until it ends, stop it, or choose another folder. Nothing needs to be removed: the lock is free as soon as its holder "
                           "and the children that it forked have ended.",
                 .system = EWOULDBLOCK});
  }

  [[noreturn]] void fail_without_locks(int number) const {
    throw error({.code = errc::unsupported,
                 .file = path_,
                 .problem = "the filesystem of this folder has no locks, so that two runs could write into it at once (" +
                            std::generic_category().message(number) + ')',
                 .advice = "Mount it with locks (NFS: without nolock and with a lock service), or choose a folder on another filesystem.",
                 .system = number});
  }

  [[noreturn]] void fail_to_open(int number) const {
    if (number == ELOOP || number == EISDIR || number == ENXIO || number == ENODEV) refuse_kind();
    error_details details{.file = path_, .problem = "its .lock could not be opened"};
    if (number == EACCES || number == EPERM) {
      details.advice = "Check who owns the folder and the file .lock in it, and their permissions: a run needs to write both.";
    }
    detail::throw_errno(number, std::move(details));
  }

  [[noreturn]] void refuse_kind() const {
    throw error({.code = errc::unsafe_path,
                 .file = path_ + '/' + file_name,
                 .problem = "this cannot be the lock of its folder",
                 .expected = "a regular file or nothing",
                 .found = "a link, folder, pipe or device",
                 .advice = "Remove it, or choose another folder."});
  }

  [[noreturn]] void fail(int number, const char* problem) const { detail::throw_errno(number, {.file = path_, .problem = problem}); }

  std::string path_;
  detail::descriptor<Ops> file_;
};

using folder_lock = basic_folder_lock<file_ops>;

}  // namespace tidemark
#endif
