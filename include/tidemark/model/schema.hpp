// SPDX-License-Identifier: BSL-1.0
// model/schema.hpp: a type as a tree of kinds and names, at run time, and its canonical text (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_HPP
#define TIDEMARK_MODEL_SCHEMA_HPP

#include <tidemark/model/kind.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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
  friend bool operator==(const schema& a, const schema& b);
};

namespace detail {

/// The most levels that a schema has: what is deeper is refused when it is saved and when it is read.
inline constexpr int max_schema_depth = 100;

int depth_of(const schema& s);

/// The value at a dotted path through records; null where there is none.
const schema* member_at(const schema& s, std::string_view path);

// How a text of the schema is spelled. docs/format.md, "The schema", has the grammar.
void append_schema(std::string& text, const schema& s, bool sort_members);

}  // namespace detail

/// The canonical text of a schema: `{step:u64,weights:[f32]}`. Linear in its size.
std::string to_text(const schema& s);

/// The text that the schema's digest covers: as `to_text`, with the members of each record sorted by name.
std::string to_digest_text(const schema& s);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/schema.ipp>
#endif
#endif
