// SPDX-License-Identifier: BSL-1.0
// sink/file_target.hpp: the place that a save is aimed at: its folder, held open, its name, and what lies there now (floor: sink).
#ifndef TIDEMARK_SINK_FILE_TARGET_HPP
#define TIDEMARK_SINK_FILE_TARGET_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/system_error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

namespace tidemark::detail {

/// All later calls name `base` relative to `folder`, so that they mean the same place even when a path is renamed meanwhile.
template <class Ops>
struct file_target {
  descriptor<Ops> folder;
  std::string base;
  std::string path;     ///< as the user wrote it, for messages
  bool exists = false;  ///< as a regular file
  mode_t mode = 0666;   ///< the permissions of the file that exists, else what the umask is applied to
};

template <class Ops>
descriptor<Ops> open_folder(const Ops& ops, int from, const std::string& folder, const std::string& path) {
  const int number = retry_interrupted([&] { return ops.openat(from, folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
  if (number < 0) throw_errno(errno, {.file = path, .problem = "its folder \"" + folder + "\" could not be opened"});
  return descriptor<Ops>(ops, number);
}

/// Replaces the target, a symbolic link, by what it points to.
template <class Ops>
void follow_symlink(const Ops& ops, file_target<Ops>& target) {
  std::array<char, 4096> text;
  const ssize_t length = retry_interrupted([&] { return ops.readlinkat(target.folder.get(), target.base.c_str(), text.data(), text.size()); });
  if (length < 0) throw_errno(errno, {.file = target.path, .problem = "the symbolic link could not be read"});
  split_path to = split(std::string(text.data(), static_cast<std::size_t>(length)));
  if (to.folder != ".") target.folder = open_folder(ops, target.folder.get(), to.folder, target.path);
  target.base = std::move(to.base);
}

[[noreturn]] void refuse_target(const std::string& path, const char* found, const char* advice);

/// Opens the folder of `path` and looks at what lies there. Throws `unsafe_path` for anything but a regular file or nothing, and for a
/// symbolic link unless it is to be followed; `not_found` where the folder does not exist.
template <class Ops>
file_target<Ops> open_target(const Ops& ops, const std::string& path, bool follows_symlink) {
  refuse_unusable_path(path);
  split_path parts = split(path);
  file_target<Ops> target{open_folder(ops, AT_FDCWD, parts.folder, path), std::move(parts.base), path};
  for (int links = 0;; ++links) {
    if (target.base.empty() || target.base == "." || target.base == "..") {
      refuse_target(path, "the name of a folder", "Name a file in it.");
    }
    struct stat status;
    const int result = retry_interrupted([&] { return ops.fstatat(target.folder.get(), target.base.c_str(), &status, AT_SYMLINK_NOFOLLOW); });
    if (result < 0 && errno == ENOENT) return target;
    if (result < 0) throw_errno(errno, {.file = path, .problem = "the system does not tell what lies at this path"});
    if (S_ISDIR(status.st_mode)) refuse_target(path, "a folder", "Name a file in it.");
    if (S_ISLNK(status.st_mode)) {
      if (!follows_symlink) {
        refuse_target(path, "a symbolic link", "Save to the path that it points to, or set .follow_symlink = true to replace the file there.");
      }
      if (links == 40) refuse_target(path, "symbolic links that lead on and on", "");
      follow_symlink(ops, target);
      continue;
    }
    if (!S_ISREG(status.st_mode)) refuse_target(path, "a pipe, socket or device", "Choose another path: it would be replaced by a file.");
    target.exists = true;
    target.mode = status.st_mode & 0777;
    return target;
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/file_target.ipp>
#endif
#endif
