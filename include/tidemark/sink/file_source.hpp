// SPDX-License-Identifier: BSL-1.0
// sink/file_source.hpp: a regular file to read from, by offset, from several threads at once (floor: sink).
#ifndef TIDEMARK_SINK_FILE_SOURCE_HPP
#define TIDEMARK_SINK_FILE_SOURCE_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/system_error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// A regular file, opened for reading. Symlinks are followed; folders, pipes, sockets and devices are refused (`unsafe_path`) without
/// waiting for them. The size is the one at opening: a file that shrinks afterwards is an error of code `truncated`, one that grows is
/// read up to that size. Holds one descriptor; movable; `read` may be called by several threads at once.
template <class Ops>
class basic_file_source {
 public:
  template <detail::PathLike P>
  explicit basic_file_source(const P& path, Ops ops = {}) : path_(detail::path_text(path)), file_(std::move(ops)) {
    detail::refuse_unusable_path(path_);
    open(AT_FDCWD, path_.c_str(), 0);
  }

  /// The file `name` in an open folder; a symbolic link there is refused, wherever it leads. `path` is for messages.
  basic_file_source(const detail::descriptor<Ops>& folder, const std::string& name, std::string path) : path_(std::move(path)), file_(folder.ops()) {
    open(folder.get(), name.c_str(), O_NOFOLLOW);
  }

  std::uint64_t size() const noexcept { return size_; }
  std::string name() const { return path_; }
  const detail::descriptor<Ops>& file() const noexcept { return file_; }

  /// Fills `into` from `offset` or throws: `truncated` where the file ends before that, `io` where the system refuses.
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > size_ || into.size() > size_ - offset) fail_short(offset, into.size(), size_);
    while (!into.empty()) {
      const std::size_t piece = (std::min)(into.size(), longest_read);
      const ssize_t got = detail::retry_interrupted([&] { return file_.ops().pread(file_.get(), into.data(), piece, static_cast<off_t>(offset)); });
      if (got < 0) {
        detail::throw_errno(errno, {.file = path_, .problem = "reading failed at offset " + std::to_string(offset)});
      }
      if (got == 0) fail_short(offset, into.size(), offset);
      offset += static_cast<std::uint64_t>(got);
      into = into.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  static constexpr std::size_t longest_read = std::size_t{1} << 30;  // the system reads less than 2 GiB at once

  void open(int folder, const char* name, int more_flags) {
    // O_NONBLOCK: opening a pipe would wait for its writer. It means nothing to a regular file.
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more_flags;
    const auto& calls = file_.ops();
    const int number = detail::retry_interrupted([&] { return calls.openat(folder, name, flags, 0); });
    if (number < 0 && errno == ELOOP && more_flags != 0) refuse_kind("a symbolic link");
    if (number < 0) fail_to_open(errno);
    file_ = detail::descriptor<Ops>(calls, number);
    struct stat status;
    if (detail::retry_interrupted([&] { return calls.fstat(number, &status); }) < 0) {
      detail::throw_errno(errno, {.file = path_, .problem = "its size could not be read"});
    }
    if (!S_ISREG(status.st_mode)) refuse_kind(S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  [[noreturn]] void fail_to_open(int number) const {
    if (number == ENXIO || number == ENODEV) refuse_kind("a socket or a device");
    error_details details{.file = path_, .problem = number == ENOENT ? "the file does not exist" : "the file could not be opened"};
    if (number == ENOENT) details.advice = "Check the path; a relative one starts at the working directory of the process.";
    if (number == EACCES || number == EPERM) details.advice = "Check who owns the file, and its permissions.";
    if (number == ELOOP) details.advice = "The path runs through symbolic links in a circle.";
    detail::throw_errno(number, std::move(details));
  }

  [[noreturn]] void refuse_kind(const char* kind) const {
    error_details details{.code = errc::unsafe_path, .file = path_, .problem = "this is not a file to read an archive from", .expected = "a regular file", .found = kind};
    if (std::string_view(kind) == "a folder") details.advice = "A sharded checkpoint is loaded as tidemark::sharded_source{path}.";
    throw error(std::move(details));
  }

  [[noreturn]] void fail_short(std::uint64_t offset, std::size_t wanted, std::uint64_t end) const {
    error_details details{.code = errc::truncated,
                          .file = path_,
                          .problem = "the file ends too early",
                          .expected = std::to_string(wanted) + " bytes at offset " + std::to_string(offset),
                          .found = "the end at " + std::to_string(end)};
    if (end < size_) details.advice = "It had " + std::to_string(size_) + " bytes when it was opened: something shortens it while it is read.";
    throw error(std::move(details));
  }

  std::string path_;
  detail::descriptor<Ops> file_;
  std::uint64_t size_ = 0;
};

using file_source = basic_file_source<file_ops>;

namespace detail {

/// A small file as text, or the first `longest` bytes of one that is not small.
template <class Ops>
std::string first_bytes(const basic_file_source<Ops>& file, std::uint64_t longest) {
  std::string text(static_cast<std::size_t>((std::min)(file.size(), longest)), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

/// Adds the bytes from `from` up to `to` to a hash, in pieces: a sparse file of any size costs nobody but its reader.
template <class Ops>
void hash_bytes(hasher& hash, const basic_file_source<Ops>& file, std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  std::vector<std::byte> buffer(static_cast<std::size_t>((std::min)(to - from, piece_bytes)));
  while (from < to) {
    const auto piece = std::span(buffer).first(static_cast<std::size_t>((std::min)(to - from, piece_bytes)));
    file.read(from, piece);
    hash.update(piece);
    from += piece.size();
  }
}

}  // namespace detail

}  // namespace tidemark
#endif
