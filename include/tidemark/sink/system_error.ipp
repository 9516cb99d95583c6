// SPDX-License-Identifier: BSL-1.0
// sink/system_error.ipp: the definitions of system_error.hpp (floor: sink).
#ifndef TIDEMARK_SINK_SYSTEM_ERROR_IPP
#define TIDEMARK_SINK_SYSTEM_ERROR_IPP

#include <tidemark/sink/system_error.hpp>

#include <tidemark/core/linkage.hpp>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE errc code_of_errno(int number) noexcept {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return errc::not_found;
    case EEXIST:
      return errc::exists;
    case ENOSPC:
    case EDQUOT:
      return errc::no_space;
    case EISDIR:
    case ELOOP:
      return errc::unsafe_path;
    default:
      return errc::io;
  }
}

TIDEMARK_DETAIL_INLINE std::string_view advice_for_errno(int number) noexcept {
  switch (number) {
    case EACCES:
    case EPERM:
      return "Check who owns the file and its folder, and their permissions: saving needs to create and rename files in that folder.";
    case EROFS:
      return "The filesystem is mounted read-only: choose another place.";
    case ENOSPC:
      return "Free that much space (or inodes) on this filesystem, or choose another place.";
    case EDQUOT:
      return "Your disk quota is used up: free space of yours, or choose another place.";
    case EMFILE:
    case ENFILE:
      return "Too many files are open: close some, or raise the limit (ulimit -n).";
    case ENAMETOOLONG:
      return "Shorten the name: most filesystems allow 255 bytes for each part of a path.";
    case EFBIG:
      return "The filesystem or the process (ulimit -f) does not allow files of that size.";
    case EIO:
      return "The device reports an error: look at the system's log before you trust this disk again.";
    case EXDEV:
      return "Target and temporary file lie on different filesystems, so no rename can be atomic: save to a folder of one filesystem.";
    case ENOENT:
      return "Create the folder first.";
    case ENOTDIR:
      return "A part of the path is a file where a folder is needed.";
    default:
      return "";
  }
}

TIDEMARK_DETAIL_INLINE void throw_errno(int number, error_details details) {
  details.code = code_of_errno(number);
  details.problem += " (" + std::generic_category().message(number) + ')';
  if (details.advice.empty()) details.advice = advice_for_errno(number);
  details.system = number;
  throw error(std::move(details));
}

TIDEMARK_DETAIL_INLINE void throw_save_errno(int number, const std::string& path, std::string problem, std::uint64_t needed) {
  error_details details{.file = path, .problem = std::move(problem), .advice = std::string(advice_for_errno(number))};
  if (needed != 0 && code_of_errno(number) == errc::no_space) details.expected = std::to_string(needed) + " bytes of space";
  if (!details.advice.empty()) details.advice += ' ';
  details.advice += "What was at this path before is untouched.";
  throw_errno(number, std::move(details));
}

}  // namespace tidemark::detail
#endif
