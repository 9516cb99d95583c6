// SPDX-License-Identifier: BSL-1.0
// archive/names.ipp: the definitions of names.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_NAMES_IPP
#define TIDEMARK_ARCHIVE_NAMES_IPP

#include <tidemark/archive/names.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE walk_name::scope::~scope() { text_.resize(length_); }

TIDEMARK_DETAIL_INLINE walk_name::scope walk_name::member(std::string_view name) {
  const std::size_t length = text_.size();
  if (length != 0) text_ += '.';
  if (length == 0 && name == "__metadata__") text_ += "%5F_metadata__";  // the one name that the container keeps for itself
  else text_ += name;
  return {text_, length};
}

TIDEMARK_DETAIL_INLINE walk_name::scope walk_name::element(std::uint64_t index) {
  char digits[20];
  std::size_t n = sizeof digits;
  do digits[--n] = static_cast<char>('0' + index % 10);
  while ((index /= 10) != 0);
  return member(std::string_view(digits + n, sizeof digits - n));
}

TIDEMARK_DETAIL_INLINE walk_name::scope walk_name::side(std::string_view what) {
  const std::size_t length = text_.size();
  (text_ += '#') += what;
  return {text_, length};
}

TIDEMARK_DETAIL_INLINE walk_name::scope walk_name::payload(bool has_side_tensors) {
  if (has_side_tensors) return side("item");
  return {text_, text_.size()};
}

TIDEMARK_DETAIL_INLINE bool append_leaf_paths(std::vector<std::string>& paths, const schema& s, const std::string& path) {
  const auto step = [&](const std::string& name) { return path.empty() ? name : path + '.' + name; };
  switch (s.kind) {
    case kind::scalar:
    case kind::text:
    case kind::opaque:
    case kind::array: paths.push_back(path); return true;
    case kind::optional: paths.push_back(path); return append_leaf_paths(paths, s.children[0], path);
    case kind::record:
    case kind::tuple:
      for (std::size_t i = 0; i < s.children.size(); ++i) {
        if (!append_leaf_paths(paths, s.children[i], step(s.kind == kind::record ? s.names[i] : std::to_string(i)))) return false;
      }
      return true;
    default: return false;
  }
}

TIDEMARK_DETAIL_INLINE bool keeps_dots(const schema& value) {
  std::vector<std::string> paths;
  if (!append_leaf_paths(paths, value, {})) return false;
  for (const auto& longer : paths) {
    for (const auto& shorter : paths) {
      if (shorter.empty() ? !longer.empty() : longer.ends_with('.' + shorter)) return false;
    }
  }
  return true;
}

TIDEMARK_DETAIL_INLINE std::string escaped_key(std::string_view key, bool keep_dots) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  text.reserve(key.size());
  while (!key.empty()) {
    const std::size_t length = utf8_sequence(key);
    const auto c = static_cast<unsigned char>(key[0]);
    const bool is_escaped = length == 0 || c < 0x20 || c == 0x7F || c == '#' || c == '%' || (c == '.' && !keep_dots);
    if (is_escaped) ((text += '%') += digits[c >> 4]) += digits[c & 15];
    else text += key.substr(0, length);
    key.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

TIDEMARK_DETAIL_INLINE walk_name::scope walk_name::key(std::string_view key, bool keep_dots) {
  const bool is_plain = std::all_of(key.begin(), key.end(), [&](char c) { return c >= ' ' && c < '\x7F' && c != '#' && c != '%' && (c != '.' || keep_dots); });
  return is_plain ? member(key) : member(escaped_key(key, keep_dots));
}

}  // namespace tidemark::detail
#endif
