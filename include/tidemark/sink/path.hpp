// SPDX-License-Identifier: BSL-1.0
// sink/path.hpp: paths as text, taken from anything that is one, and split into folder and name (floor: sink).
#ifndef TIDEMARK_SINK_PATH_HPP
#define TIDEMARK_SINK_PATH_HPP

#include <tidemark/core/error.hpp>

#include <concepts>
#include <string>
#include <string_view>

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
std::string absolute_path(std::string path);

/// The system would take the part before the zero byte for the whole path.
void refuse_unusable_path(const std::string& path);

struct split_path {
  std::string folder;  ///< never empty: "." where the path names none
  std::string base;    ///< empty where the path ends in a slash
};

split_path split(const std::string& path);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/path.ipp>
#endif
#endif
