// SPDX-License-Identifier: BSL-1.0
// archive/names.hpp: the names of tensors, from members, positions and map keys (floor: archive).
#ifndef TIDEMARK_ARCHIVE_NAMES_HPP
#define TIDEMARK_ARCHIVE_NAMES_HPP

#include <tidemark/archive/layout.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/model/schema_of.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// The name of the value that a walk has reached. Scopes add a step and take it back.
class walk_name {
 public:
  class scope {
   public:
    scope(std::string& text, std::size_t length) noexcept : text_(text), length_(length) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { text_.resize(length_); }

   private:
    std::string& text_;
    std::size_t length_;
  };

  /// A record's members stand alone; any other root is called `#root`.
  explicit walk_name(bool root_is_record) : text_(root_is_record ? "" : "#root") { text_.reserve(120); }

  std::string_view text() const noexcept { return text_; }

  [[nodiscard]] scope member(std::string_view name) {
    const std::size_t length = text_.size();
    if (length != 0) text_ += '.';
    if (length == 0 && name == "__metadata__") text_ += "%5F_metadata__";  // the one name that the container keeps for itself
    else text_ += name;
    return {text_, length};
  }
  /// The value at a map's key; see `escaped_key`.
  [[nodiscard]] inline scope key(std::string_view key, bool keep_dots);
  [[nodiscard]] scope element(std::uint64_t index) {
    char digits[20];
    std::size_t n = sizeof digits;
    do digits[--n] = static_cast<char>('0' + index % 10);
    while ((index /= 10) != 0);
    return member(std::string_view(digits + n, sizeof digits - n));
  }
  /// `name#offsets` and the like.
  [[nodiscard]] scope side(std::string_view what) {
    const std::size_t length = text_.size();
    (text_ += '#') += what;
    return {text_, length};
  }
  [[nodiscard]] scope side(std::uint64_t index) { return side(std::to_string(index)); }
  /// Where the value inside a structure lies: at the same name, or at `name#item` if it has side tensors itself.
  [[nodiscard]] scope payload(bool has_side_tensors) {
    if (has_side_tensors) return side("item");
    return {text_, text_.size()};
  }

 private:
  std::string text_;
};

/// Runs user code on the value at `name`: an error of it names the value's place in the state.
template <class F>
decltype(auto) at_place(std::string_view name, F&& f) {
  return amending(std::forward<F>(f), [&](error_details& details) {
    details.tensor = std::string(name) + (details.tensor.empty() || name.empty() ? "" : ".") + details.tensor;
  });
}

inline bool append_leaf_paths(std::vector<std::string>& paths, const schema& s, const std::string& path) {
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

/// Whether the dots of a map's keys can stay as they are: no two keys can then give one name, whatever they are.
/// That holds where the paths below a value are known from its type and none is the end, after a dot, of another.
inline bool keeps_dots(const schema& value) {
  std::vector<std::string> paths;
  if (!append_leaf_paths(paths, value, {})) return false;
  for (const auto& longer : paths) {
    for (const auto& shorter : paths) {
      if (shorter.empty() ? !longer.empty() : longer.ends_with('.' + shorter)) return false;
    }
  }
  return true;
}

/// A map key as part of a tensor's name: `#`, `%`, control characters, bytes that are no UTF-8 and, unless `keep_dots`,
/// dots are percent-escaped. One to one.
inline std::string escaped_key(std::string_view key, bool keep_dots) {
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

inline walk_name::scope walk_name::key(std::string_view key, bool keep_dots) {
  const bool is_plain = std::all_of(key.begin(), key.end(), [&](char c) { return c >= ' ' && c < '\x7F' && c != '#' && c != '%' && (c != '.' || keep_dots); });
  return is_plain ? member(key) : member(escaped_key(key, keep_dots));
}

template <class V>
bool keeps_dots_of() {
  static const bool keeps = keeps_dots(make_schema<V>());
  return keeps;
}

}  // namespace tidemark::detail
#endif
