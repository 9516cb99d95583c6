// SPDX-License-Identifier: BSL-1.0
// sink/path.ipp: the definitions of path.hpp (floor: sink).
#ifndef TIDEMARK_SINK_PATH_IPP
#define TIDEMARK_SINK_PATH_IPP

#include <tidemark/sink/path.hpp>

#include <tidemark/core/linkage.hpp>

#include <unistd.h>

#include <array>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string absolute_path(std::string path) {
  if (path.empty() || path.front() == '/') return path;
  std::array<char, 4096> here;
  if (::getcwd(here.data(), here.size()) == nullptr) throw error({.code = errc::io, .file = path, .problem = "the working directory is not known", .advice = "Give an absolute path."});
  return std::string(here.data()) + (here[1] == '\0' ? "" : "/") + path;
}

TIDEMARK_DETAIL_INLINE void refuse_unusable_path(const std::string& path) {
  if (path.empty()) throw error({.code = errc::not_found, .problem = "the path is empty", .advice = "Name a file."});
  if (path.find('\0') != std::string::npos) {
    throw error({.code = errc::unsafe_path, .file = path.substr(0, path.find('\0')), .problem = "the path holds a zero byte"});
  }
}

TIDEMARK_DETAIL_INLINE split_path split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace tidemark::detail
#endif
