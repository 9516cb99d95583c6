// SPDX-License-Identifier: BSL-1.0
// archive/names.hpp: the names of tensors, from members, positions and map keys (floor: archive).
#ifndef TIDEMARK_ARCHIVE_NAMES_HPP
#define TIDEMARK_ARCHIVE_NAMES_HPP

#include <tidemark/archive/layout.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/model/schema_of.hpp>

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
    ~scope();

   private:
    std::string& text_;
    std::size_t length_;
  };

  /// A record's members stand alone; any other root is called `#root`.
  explicit walk_name(bool root_is_record) : text_(root_is_record ? "" : "#root") { text_.reserve(120); }

  std::string_view text() const noexcept { return text_; }

  [[nodiscard]] scope member(std::string_view name);
  /// The value at a map's key; see `escaped_key`.
  [[nodiscard]] scope key(std::string_view key, bool keep_dots);
  [[nodiscard]] scope element(std::uint64_t index);
  /// `name#offsets` and the like.
  [[nodiscard]] scope side(std::string_view what);
  [[nodiscard]] scope side(std::uint64_t index) { return side(std::to_string(index)); }
  /// Where the value inside a structure lies: at the same name, or at `name#item` if it has side tensors itself.
  [[nodiscard]] scope payload(bool has_side_tensors);

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

bool append_leaf_paths(std::vector<std::string>& paths, const schema& s, const std::string& path);

/// Whether the dots of a map's keys can stay as they are: no two keys can then give one name, whatever they are.
/// That holds where the paths below a value are known from its type and none is the end, after a dot, of another.
bool keeps_dots(const schema& value);

/// A map key as part of a tensor's name: `#`, `%`, control characters, bytes that are no UTF-8 and, unless `keep_dots`,
/// dots are percent-escaped. One to one.
std::string escaped_key(std::string_view key, bool keep_dots);

template <class V>
bool keeps_dots_of() {
  static const bool keeps = keeps_dots(make_schema<V>());
  return keeps;
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/names.ipp>
#endif
#endif
