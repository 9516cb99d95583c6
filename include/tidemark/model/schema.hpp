// SPDX-License-Identifier: BSL-1.0
// model/schema.hpp: a type as a tree of kinds and names, at run time, and its canonical text (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_HPP
#define TIDEMARK_MODEL_SCHEMA_HPP

#include <tidemark/model/kind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// Where a member was in older versions.
struct rename_rule {
  std::string from, to;
  std::uint32_t since = 0;  ///< 0: wherever the file has `from` and not `to`
};

/// The structure of a type as files keep it: kinds, names and codes; never a C++ type name, which differs by compiler.
struct schema {
  static constexpr std::uint64_t any_size = UINT64_MAX;

  tidemark::kind kind = tidemark::kind::record;
  std::string code = {};             ///< of a scalar: "f32", "bool", "enum:u8", "duration:i64:1/1000"
  std::string tag = {};              ///< of a type with a representation: "mt19937_64"
  std::uint64_t extent = any_size;   ///< of an array or a sequence: its fixed size
  std::size_t rank = 1;              ///< of an array whose extents are all known only at run time: how many
  std::vector<std::string> names{};  ///< of a record: its members, one for each child
  std::vector<schema> children{};    ///< element; key and value; alternatives; members; what is packed
  std::uint32_t version = 1;         ///< of a record
  bool is_row = false;               ///< of a record: stored by column where its members alone would make it a module

  // How the type takes older versions; not in a file.
  std::vector<rename_rule> renames{};  ///< of a record
  bool migrates = false;                                       ///< of a record: it has a function that takes what does not fit

  /// Equal texts.
  friend bool operator==(const schema& a, const schema& b) {
    return a.kind == b.kind && a.code == b.code && a.tag == b.tag && a.extent == b.extent && a.rank == b.rank && a.names == b.names && a.children == b.children &&
           a.version == b.version && a.is_row == b.is_row;
  }
};

namespace detail {

/// The most levels that a schema has: what is deeper is refused when it is saved and when it is read.
inline constexpr int max_schema_depth = 100;

inline int depth_of(const schema& s) {
  int deepest = -1;
  for (const schema& child : s.children) deepest = (std::max)(deepest, depth_of(child));
  return deepest + 1;
}

/// The value at a dotted path through records; null where there is none.
inline const schema* member_at(const schema& s, std::string_view path) {
  const schema* at = &s;
  while (!path.empty()) {
    if (at->kind != kind::record) return nullptr;
    const std::size_t dot = (std::min)(path.find('.'), path.size());
    const auto found = std::find(at->names.begin(), at->names.end(), path.substr(0, dot));
    if (found == at->names.end()) return nullptr;
    at = &at->children[static_cast<std::size_t>(found - at->names.begin())];
    path.remove_prefix((std::min)(dot + 1, path.size()));
  }
  return at;
}

// How a text of the schema is spelled. docs/format.md, "The schema", has the grammar.
inline void append_schema(std::string& text, const schema& s, bool sort_members) {
  const auto child = [&](std::size_t i) { append_schema(text, s.children[i], sort_members); };
  if (!s.tag.empty()) ((text += '@') += s.tag) += '=';
  switch (s.kind) {
    case kind::scalar: text += s.code; break;
    case kind::text: text += "text"; break;
    case kind::array:
    case kind::sequence:
      text += '[';
      child(0);
      if (s.extent != schema::any_size) (text += ';') += std::to_string(s.extent);
      else if (s.rank != 1) for (std::size_t i = 0; i < s.rank; ++i) text += i == 0 ? ";*" : ",*";
      text += ']';
      break;
    case kind::map:
      text += '<';
      child(0);
      text += ',';
      child(1);
      text += '>';
      break;
    case kind::optional:
      text += '?';
      child(0);
      break;
    case kind::variant:
    case kind::tuple:
      text += '(';
      for (std::size_t i = 0; i < s.children.size(); ++i) {
        child(i);
        text += s.kind == kind::variant ? '|' : ',';
      }
      text += ')';
      break;
    case kind::opaque:
      text += '!';
      child(0);
      break;
    case kind::record: {
      if (s.is_row) text += '#';
      std::vector<std::size_t> order(s.children.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      if (sort_members) std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.names[a] < s.names[b]; });
      text += '{';
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (i != 0) text += ',';
        (text += s.names[order[i]]) += ':';
        child(order[i]);
      }
      text += '}';
      if (s.version != 1) (text += '/') += std::to_string(s.version);
      break;
    }
  }
}

}  // namespace detail

/// The canonical text of a schema: `{step:u64,weights:[f32]}`. Linear in its size.
inline std::string to_text(const schema& s) {
  std::string text;
  detail::append_schema(text, s, false);
  return text;
}

/// The text that the schema's digest covers: as `to_text`, with the members of each record sorted by name.
inline std::string to_digest_text(const schema& s) {
  std::string text;
  detail::append_schema(text, s, true);
  return text;
}

}  // namespace tidemark
#endif
