// SPDX-License-Identifier: BSL-1.0
// archive/schema_layout.ipp: the definitions of schema_layout.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_SCHEMA_LAYOUT_IPP
#define TIDEMARK_ARCHIVE_SCHEMA_LAYOUT_IPP

#include <tidemark/archive/schema_layout.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <string>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE scalar_layout layout_of_plain_scalar(std::string_view code) {
  if (code == "bool") return {dtype::boolean, 1, {}};
  if (code == "byte" || code == "char" || code == "char8") return {dtype::u8, 1, {}};
  if (code == "char16") return {dtype::u16, 2, {}};
  if (code == "char32") return {dtype::u32, 4, {}};
  if (code == "i128" || code == "u128" || code == "f80" || code == "f128" || code == "f64x2") return {dtype::u8, 16, {16}};
  if (code == "f64l") return {dtype::u8, 8, {8}};
  std::string name(code);
  for (char& c : name) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  dtype type{};
  if (find_dtype(name, type) && bits_of(type) % 8 == 0) return {type, size_of(type), {}};
  throw error({.code = errc::unsupported, .problem = "its schema has numbers of a kind that this version does not know, \"" + std::string(code) + "\"",
               .advice = "Load it as the type that was saved, or with a newer release."});
}

TIDEMARK_DETAIL_INLINE scalar_layout layout_of_scalar(std::string_view code) {
  const auto starts = [&](std::string_view prefix) {
    const bool does = code.starts_with(prefix);
    if (does) code.remove_prefix(prefix.size());
    return does;
  };
  if (starts("complex:")) {
    const scalar_layout part = layout_of_plain_scalar(code);
    if (code == "f32") return {dtype::c64, 8, {}};
    return {part.type, 2 * part.bytes, {part.trailing.empty() ? 2 : 2 * part.bytes}};
  }
  if (starts("enum:")) return layout_of_plain_scalar(code);
  if (starts("duration:") || starts("system_time:")) return layout_of_plain_scalar(code.substr(0, code.find(':')));
  return layout_of_plain_scalar(code);
}

TIDEMARK_DETAIL_INLINE bool is_fixed_leaf(const schema& s) {
  return (s.kind == kind::scalar && !s.code.starts_with('^')) || (s.kind == kind::array && s.extent != schema::any_size);
}

TIDEMARK_DETAIL_INLINE bool is_packed(const schema& s) { return s.kind == kind::opaque || (s.kind == kind::scalar && s.code.starts_with('^')); }

TIDEMARK_DETAIL_INLINE bool takes_nothing(const schema& s) {
  if (s.kind == kind::record || s.kind == kind::tuple) return std::all_of(s.children.begin(), s.children.end(), takes_nothing);
  if (s.kind == kind::array || s.kind == kind::sequence) return s.extent != schema::any_size && (s.extent == 0 || takes_nothing(s.children[0]));
  return false;
}

TIDEMARK_DETAIL_INLINE bool is_list(const schema& s) { return s.kind == kind::array || s.kind == kind::sequence; }

TIDEMARK_DETAIL_INLINE bool has_runtime_array_in(const schema& s) {
  if (is_packed(s)) return false;
  if (s.kind == kind::map || (is_list(s) && s.extent == schema::any_size)) return true;
  return std::any_of(s.children.begin(), s.children.end(), has_runtime_array_in);
}

TIDEMARK_DETAIL_INLINE bool is_modular_schema(const schema& s) {
  if (is_packed(s) || s.is_row) return false;
  if (is_any_tensor(s)) return true;
  if (s.kind == kind::record || s.kind == kind::tuple) return has_runtime_array_in(s);
  return std::any_of(s.children.begin(), s.children.end(), is_modular_schema);
}

TIDEMARK_DETAIL_INLINE bool is_tagged(const schema& s, std::string_view tag) {
  return s.tag.ends_with(tag) && (s.tag.size() == tag.size() || std::string_view(s.tag).substr(0, s.tag.size() - tag.size()).ends_with("=@"));
}

TIDEMARK_DETAIL_INLINE bool is_named_map_schema(const schema& s) {
  if (s.kind != kind::map || is_tagged(s, "multi") || is_tagged(s, "unordered_multi") || s.children[0].kind != kind::text || !s.children[0].tag.empty()) return false;
  return is_modular_schema(s.children[1]) || (s.children[1].kind == kind::array && s.children[1].extent == schema::any_size);
}

TIDEMARK_DETAIL_INLINE bool is_unordered_schema(const schema& s) { return is_tagged(s, "unordered") || is_tagged(s, "unordered_multi"); }

TIDEMARK_DETAIL_INLINE count_source count_source_of_schema(const schema& s) {
  if (is_packed(s)) return count_source::offsets;
  switch (s.kind) {
    case kind::scalar:
    case kind::optional:
    case kind::variant: return count_source::shape;
    case kind::array: return s.extent != schema::any_size ? count_source::shape : count_source::offsets;
    case kind::sequence:
      if (s.extent == schema::any_size) return count_source::offsets;
      return count_source_of_schema(s.children[0]) == count_source::shape ? count_source::shape : count_source::size_tensor;
    case kind::record:
    case kind::tuple:
      for (const schema& child : s.children) {
        if (count_source_of_schema(child) != count_source::size_tensor) return count_source_of_schema(child);
      }
      return count_source::size_tensor;
    default: return count_source::offsets;
  }
}

TIDEMARK_DETAIL_INLINE bool has_repeated_side_tensors(const schema& s) {
  return count_source_of_schema(s) == count_source::size_tensor || has_side_tensors_of(s, true);
}

TIDEMARK_DETAIL_INLINE bool has_side_tensors_of(const schema& s, bool in_column) {
  if (is_packed(s)) return in_column;
  if (is_unordered_schema(s)) return true;
  switch (s.kind) {
    case kind::optional:
    case kind::variant:
    case kind::map: return true;
    case kind::text: return in_column;
    case kind::array: return in_column && s.extent == schema::any_size;
    case kind::sequence:
      if (!in_column && is_modular_schema(s.children[0])) return s.extent == schema::any_size;
      if (s.extent != schema::any_size) return has_side_tensors_of(s.children[0], true);
      return in_column || has_repeated_side_tensors(s.children[0]);
    default: return false;
  }
}

}  // namespace tidemark::detail
#endif
