// SPDX-License-Identifier: BSL-1.0
// sink/path.hpp: paths as text, taken from anything that is one, and split into folder and name (floor: sink).
#ifndef TIDEMARK_SINK_PATH_HPP
#define TIDEMARK_SINK_PATH_HPP

#include <tidemark/core/error.hpp>

#include <array>
#include <concepts>
#include <string>
#include <string_view>

#include <unistd.h>

namespace tidemark::detail {

/// A string, a literal, a string_view, or a std::filesystem::path, whose header this one does without.
template <class P>
concept PathLike = std::convertible_to<const P&, std::string> || std::convertible_to<const P&, std::string_view>;

template <PathLike P>
std::string path_text(const P& path) {
  if constexpr (std::is_convertible_v<const P&, const char*>) {
    const char* text = path;
    return text == nullptr ? std::string{} : std::string(text);
  } else if constexpr (std::convertible_to<const P&, std::string>) {
    return path;
  } else {
    return std::string(std::string_view(path));
  }
}

/// The same place, also after the working directory has changed. Throws `error` (io) where there is none.
inline std::string absolute_path(std::string path) {
  if (path.empty() || path.front() == '/') return path;
  std::array<char, 4096> here;
  if (::getcwd(here.data(), here.size()) == nullptr) throw error({.code = errc::io, .file = path, .problem = "the working directory is not known", .advice = "Give an absolute path."});
  return std::string(here.data()) + (here[1] == '\0' ? "" : "/") + path;
}

/// The system would take the part before the zero byte for the whole path.
inline void refuse_unusable_path(const std::string& path) {
  if (path.empty()) throw error({.code = errc::not_found, .problem = "the path is empty", .advice = "Name a file."});
  if (path.find('\0') != std::string::npos) {
    throw error({.code = errc::unsafe_path, .file = path.substr(0, path.find('\0')), .problem = "the path holds a zero byte"});
  }
}

struct split_path {
  std::string folder;  ///< never empty: "." where the path names none
  std::string base;    ///< empty where the path ends in a slash
};

inline split_path split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace tidemark::detail
#endif
