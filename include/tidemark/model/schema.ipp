// SPDX-License-Identifier: BSL-1.0
// model/schema.ipp: the definitions of schema.hpp (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_IPP
#define TIDEMARK_MODEL_SCHEMA_IPP

#include <tidemark/model/schema.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>

namespace tidemark {

TIDEMARK_DETAIL_INLINE bool operator==(const schema& a, const schema& b) {
  return a.kind == b.kind && a.code == b.code && a.tag == b.tag && a.extent == b.extent && a.rank == b.rank && a.names == b.names && a.children == b.children &&
         a.version == b.version && a.is_row == b.is_row;
}

}  // namespace tidemark

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE int depth_of(const schema& s) {
  int deepest = -1;
  for (const schema& child : s.children) deepest = (std::max)(deepest, depth_of(child));
  return deepest + 1;
}

TIDEMARK_DETAIL_INLINE const schema* member_at(const schema& s, std::string_view path) {
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

TIDEMARK_DETAIL_INLINE void append_schema(std::string& text, const schema& s, bool sort_members) {
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

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::string to_text(const schema& s) {
  std::string text;
  detail::append_schema(text, s, false);
  return text;
}

TIDEMARK_DETAIL_INLINE std::string to_digest_text(const schema& s) {
  std::string text;
  detail::append_schema(text, s, true);
  return text;
}

}  // namespace tidemark
#endif
