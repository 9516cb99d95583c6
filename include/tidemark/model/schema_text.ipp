// SPDX-License-Identifier: BSL-1.0
// model/schema_text.ipp: the definitions of schema_text.hpp (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_TEXT_IPP
#define TIDEMARK_MODEL_SCHEMA_TEXT_IPP

#include <tidemark/model/schema_text.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE schema schema_parser::parse() {
  schema s = type(0);
  if (at_ != text_.size()) fail("the end of the schema");
  return s;
}

TIDEMARK_DETAIL_INLINE void schema_parser::fail(std::string_view expected) const {
  throw error({.code = errc::corrupt,
               .problem = "the schema is not well-formed at byte " + std::to_string(at_),
               .expected = std::string(expected),
               .found = at_ < text_.size() ? "'" + std::string(text_.substr(at_, 12)) + "'" : "its end"});
}

TIDEMARK_DETAIL_INLINE bool schema_parser::take(char c) {
  const bool is = next_is(c);
  if (is) ++at_;
  return is;
}

TIDEMARK_DETAIL_INLINE void schema_parser::require(char c) {
  if (!take(c)) fail(std::string("'") + c + "'");
}

TIDEMARK_DETAIL_INLINE std::string schema_parser::word(std::string_view stops) {
  const std::size_t end = (std::min)(text_.find_first_of(stops, at_), text_.size());
  if (end == at_) fail("a name");
  for (std::size_t i = at_; i < end; ++i) {
    if (static_cast<unsigned char>(text_[i]) <= ' ') fail("a name");
  }
  std::string text(text_.substr(at_, end - at_));
  at_ = end;
  return text;
}

TIDEMARK_DETAIL_INLINE std::uint64_t schema_parser::number() {
  const std::size_t start = at_;
  std::uint64_t value = 0;
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
    const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
    if (value > (UINT64_MAX - 1 - digit) / 10) fail("a number below 2^64 - 1");
    value = value * 10 + digit;
    ++at_;
  }
  if (at_ == start || (text_[start] == '0' && at_ - start > 1)) fail("a number without zeros in front");  // one spelling, one digest
  return value;
}

TIDEMARK_DETAIL_INLINE bool schema_parser::is_leaf(const schema& s) {
  return (s.kind == kind::scalar && s.code[0] != '^' && s.code != "*") || (s.kind == kind::array && s.extent != schema::any_size);
}

TIDEMARK_DETAIL_INLINE schema schema_parser::type(int depth) {
  if (depth > max_schema_depth) fail("at most 100 levels");
  if (++types_ > max_types) fail("at most 100000 types");
  schema s;
  std::string tag;
  while (take('@')) {
    tag += (tag.empty() ? "" : "=@") + word("={}");
    require('=');
  }
  if (take('[')) {
    s.children.push_back(type(depth + 1));
    if (take(';')) {
      if (take('*')) {
        while (take(',')) {
          require('*');
          if (++s.rank > max_rank) fail("at most 16 extents");
        }
        if (s.rank == 1) fail("two extents or more");
      } else {
        s.extent = number();
      }
    }
    require(']');
    if (s.rank != 1 && !(is_leaf(s.children[0]) && s.children[0].tag.empty())) fail("an array of numbers");
    s.kind = is_leaf(s.children[0]) && s.children[0].tag.empty() ? kind::array : kind::sequence;
  } else if (take('<')) {
    s.kind = kind::map;
    s.children.push_back(type(depth + 1));
    require(',');
    s.children.push_back(type(depth + 1));
    require('>');
  } else if (take('?')) {
    s.kind = kind::optional;
    s.children.push_back(type(depth + 1));
  } else if (take('(')) {
    s.kind = kind::tuple;
    while (!take(')')) {
      s.children.push_back(type(depth + 1));
      const bool is_variant = next_is('|');
      if (s.children.size() == 1 && is_variant) s.kind = kind::variant;
      require(s.kind == kind::variant ? '|' : ',');
    }
  } else if (take('!')) {
    s.kind = kind::opaque;
    ++packed_;
    s.children.push_back(type(depth + 1));
    --packed_;
  } else if (next_is('{') || next_is('#')) {
    s.is_row = take('#');
    require('{');
    s.kind = kind::record;
    while (!next_is('}')) {
      if (!s.names.empty()) require(',');
      s.names.push_back(word(":{}[]<>(),|?!/"));
      require(':');
      s.children.push_back(type(depth + 1));
    }
    require('}');
    auto sorted = s.names;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) fail("a record that has each name once");
    if (take('/')) {
      const std::uint64_t version = number();
      if (version > UINT32_MAX || version == 1) fail("a version below 2^32 other than 1, which is not written");
      s.version = static_cast<std::uint32_t>(version);
    }
  } else {
    s.code = word("{}[]<>(),|;?@=!#");
    if (s.code[0] == '^') require_enclosing(s.code);
    s.kind = s.code == "text" ? kind::text : kind::scalar;
    if (s.kind == kind::text) s.code.clear();
  }
  s.tag = std::move(tag);
  return s;
}

TIDEMARK_DETAIL_INLINE void schema_parser::require_enclosing(const std::string& code) const {
  std::uint64_t level = 0;
  for (std::size_t i = 1; i < code.size() && level < 1000; ++i) level = code[i] >= '0' && code[i] <= '9' ? level * 10 + static_cast<std::uint64_t>(code[i] - '0') : 1000;
  if (code.size() < 2 || (code[1] == '0' && code.size() > 2) || level >= packed_) fail("the number of a packed type around");
}

}  // namespace tidemark::detail
#endif
