// SPDX-License-Identifier: BSL-1.0
// fuzz/mutate_schema.hpp: changes the schema that an archive states into another well-formed one, with what hurts its readers.
#ifndef TIDEMARK_TESTS_FUZZ_MUTATE_SCHEMA_HPP
#define TIDEMARK_TESTS_FUZZ_MUTATE_SCHEMA_HPP

#include "mutate.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

/// Types that a hostile file may state in the place of any.
inline constexpr std::string_view hostile_types[] = {
    "[text;18446744073709551614]", "[[text;9223372036854775808];2]", "[[text;4294967296];4294967296]", "[{};4000000000]", "[{};18446744073709551614]", "[!{};4000000000]",
    "[{a:[{b:[f32]};0]};4000000000]", "[[f32;0];4000000000]", "[[[f32;4294967295];4294967297];0]", "<(),()>", "<[u8;0],{}>", "<text,*>", "*", "[*]", "[f32;*,*]", "{}", "()", "[()]", "[{}]",
    "[[()]]", "(u8|)", "(()|)", "(text|[f32]|)", "?()", "??u8", "!{}", "!{a:[^0;2]}", "!{a:^0,b:^0}", "!{a:?^0,b:?^0}", "!{a:[^0]}", "!{a:!{b:[^1],c:?^0}}", "!u8", "!?u8", "!<text,^0>",
    "complex:f32", "complex:complex:complex:f64", "enum:enum:enum:u8", "duration:enum:u8:1/1", "f80", "u128", "x", "f4", "@unordered=u8", "@unordered={a:u8}", "@unordered=[u8;4]", "@unordered=[text]",
    "@unordered=<text,u8>", "@multi=<text,[f32]>", "@unordered_multi=<u8,{a:[u8]}>", "@a=@unordered=<text,{a:[f32]}>", "@gauge={level:i32}", "<text,[f32]>", "<text,{a:[f32],a.b:u8}>",
    "{a.b:u8,a:{b:u8}}", "[[[[[[[[[[[[[[[[[[[[[[[[[[u8;1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1];1]", "i64", "u8", "f64", "bool", "text", "[i32]", "[text]",
    "[[i16;2];3]", "#{a:[u8]}", "{a:[u8]}/2", "<(),[text]>", "[?()]", "[(()|{}|)]", "[[[text]]]", "[<text,text>]"};

inline tidemark::schema& any_type(tidemark::schema& root, chance& random) {
  tidemark::schema* at = &root;
  while (!at->children.empty() && !random.one_in(4)) at = &random.of(at->children);
  return *at;
}

/// One change; the text that comes of it may still be none that the parser takes.
inline void mutate_type(tidemark::schema& root, chance& random) {
  tidemark::schema& s = any_type(root, random);
  switch (random.below(9)) {
    case 0: s = tidemark::parse_schema(hostile_types[static_cast<std::size_t>(random.below(std::size(hostile_types)))]); break;
    case 1: {
      const tidemark::schema other = any_type(root, random);
      s = other;
      break;
    }
    case 2:
      if (s.extent != tidemark::schema::any_size || random.one_in(4)) s.extent = random.edge();
      break;
    case 3: s.version = static_cast<std::uint32_t>(random.below(4)); break;
    case 4:
      if (s.kind == tidemark::kind::record) {
        s.names.push_back(s.names.empty() || random.one_in(2) ? "zz" : random.of(s.names) + ".zz");
        s.children.push_back(tidemark::parse_schema(hostile_types[static_cast<std::size_t>(random.below(std::size(hostile_types)))]));
      }
      break;
    case 5:
      if (!s.children.empty()) {
        const auto i = static_cast<std::ptrdiff_t>(random.below(s.children.size()));
        if (s.kind == tidemark::kind::record) s.names.erase(s.names.begin() + i);
        if (s.kind == tidemark::kind::record || s.children.size() > 2) s.children.erase(s.children.begin() + i);
      }
      break;
    case 6:
      if (s.names.size() > 1) std::swap(random.of(s.names), random.of(s.names));
      break;
    case 7: s.tag = random.one_in(2) ? "" : random.one_in(2) ? "unordered" : "multi"; break;
    default: s.is_row = !s.is_row;
  }
}

/// Gives an archive another schema, where what comes of it is one; true where it did.
inline bool mutate_schema_tree(archive& parts, chance& random) {
  for (auto& [key, value] : parts.metadata) {
    if (key != tidemark::detail::identity_key) continue;
    try {
      const std::string_view old = tidemark::detail::parse_identity(value).schema_text;
      tidemark::schema s = tidemark::parse_schema(old);
      for (std::uint64_t n = 1 + random.below(3); n-- > 0;) mutate_type(s, random);
      const std::string text = to_text(s);
      if (text.size() > 8192) return false;
      static_cast<void>(tidemark::parse_schema(text));
      value.replace(value.size() - old.size(), old.size(), text);
      return true;
    } catch (const tidemark::error&) {
      return false;
    }
  }
  return false;
}

}  // namespace fuzz
#endif
