// SPDX-License-Identifier: BSL-1.0
// model/schema_of.ipp: the definitions of schema_of.hpp (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_OF_IPP
#define TIDEMARK_MODEL_SCHEMA_OF_IPP

#include <tidemark/model/schema_of.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string checked_tag(std::string tag) {
  if (tag == "unordered" || tag == "multi" || tag == "unordered_multi") {
    throw error({.code = errc::unsupported, .action = "describe a type", .problem = "the name that it gives itself, \"" + tag + "\", is one by which files tell containers apart"});
  }
  for (const char c : tag) {
    if (c <= ' ' || c > '~' || std::string_view("={}@\"\\").find(c) != std::string_view::npos) {
      throw error({.code = errc::unsupported,
                   .action = "describe a type",
                   .problem = "the name that it gives itself, \"" + tag + "\", cannot stand in a schema",
                   .expected = "printable ASCII without spaces, quotes, backslashes, '=', '@' and braces"});
    }
  }
  return tag;
}

TIDEMARK_DETAIL_INLINE void require_distinct_alternatives(const schema& s) {
  for (std::size_t i = 0; i < s.children.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (s.children[i] == s.children[j]) {
        throw error({.code = errc::unsupported,
                     .action = "describe this type",
                     .problem = "alternatives " + std::to_string(j) + " and " + std::to_string(i) + " have the same structure, " +
                                to_text(s.children[i]) + ", so a file could not tell them apart",
                     .advice = "Give each a name of its own: static constexpr std::string_view checkpoint_name = \"...\";"});
      }
    }
  }
}

TIDEMARK_DETAIL_INLINE void require_fit_names(const schema& s) {
  auto sorted = s.names;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string& name = sorted[i];
    const auto refuse = [&](std::string why) {
      throw error({.code = errc::unsupported, .action = "describe a type", .problem = "a member is called \"" + name + "\", " + std::move(why), .advice = "Give it another with tidemark::member(name, ...)."});
    };
    if (i > 0 && name == sorted[i - 1]) refuse("and another one or a base too");
    bool is_fit = !name.empty();
    for (std::string_view left = name; is_fit && !left.empty();) {
      const std::size_t length = utf8_sequence(left);
      const auto c = static_cast<unsigned char>(left[0]);
      is_fit = length != 0 && c > ' ' && c != 0x7F && std::string_view(":{}[]<>(),|?!/#%.\"\\@=;^*").find(left[0]) == std::string_view::npos;
      left.remove_prefix(length == 0 ? 1 : length);
    }
    if (!is_fit) refuse("which is no name: letters, digits, '_', '-' and their like, in UTF-8");
  }
}

TIDEMARK_DETAIL_INLINE void add_member(schema& record, std::string_view name, schema (*make)()) {
  record.names.emplace_back(name);
  amending([&] { record.children.push_back(make()); }, [&](error_details& details) {
    details.tensor = record.names.back() + (details.tensor.empty() ? "" : ".") + details.tensor;
  });
}

TIDEMARK_DETAIL_INLINE void require_known_targets(const schema& s) {
  for (const rename_rule& r : s.renames) {
    const bool is_known = member_at(s, r.to) != nullptr || std::any_of(s.renames.begin(), s.renames.end(), [&](const rename_rule& next) { return next.from == r.to; });
    if (!is_known) throw error({.code = errc::unsupported, .action = "describe a type", .problem = "it says that \"" + r.from + "\" was renamed to \"" + r.to + "\", and has no such member"});
  }
}

TIDEMARK_DETAIL_INLINE void describe(std::string& text, const schema& s, const std::string& path) {
  const auto line = [&](const std::string& what) {
    ((((text += "  ") += path.empty() ? "(root)" : path) += std::string(path.size() < 30 ? 31 - path.size() : 1, ' ')) += what) += '\n';
  };
  const std::string dot = path.empty() ? "" : path + '.';
  const std::string tag = s.tag.empty() ? "" : "   (" + s.tag + ')';
  switch (s.kind) {
    case kind::scalar:
    case kind::text:
    case kind::opaque:
    case kind::array: line(to_text(s)); return;
    case kind::record:
      for (std::size_t i = 0; i < s.children.size(); ++i) describe(text, s.children[i], dot + s.names[i]);
      return;
    case kind::tuple:
      for (std::size_t i = 0; i < s.children.size(); ++i) describe(text, s.children[i], dot + std::to_string(i));
      return;
    case kind::variant:
      line("one of:" + tag);
      for (std::size_t i = 0; i < s.children.size(); ++i) describe(text, s.children[i], dot + "#" + std::to_string(i));
      return;
    case kind::optional:
      if (s.children[0].kind <= kind::array) return line(to_text(s));
      line("optional:" + tag);
      describe(text, s.children[0], path);
      return;
    case kind::sequence:
      line("sequence of:" + tag);
      describe(text, s.children[0], dot + '*');
      return;
    case kind::map:
      line("map from " + to_text(s.children[0]) + " to:" + tag);
      describe(text, s.children[1], dot + '*');
      return;
  }
}

}  // namespace tidemark::detail
#endif
