// SPDX-License-Identifier: BSL-1.0
// model/schema_of.hpp: the schema of a C++ type, and a description of it for people (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_OF_HPP
#define TIDEMARK_MODEL_SCHEMA_OF_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/model/diagnosis.hpp>
#include <tidemark/model/evolution.hpp>
#include <tidemark/model/schema.hpp>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {
namespace detail {

template <class T, class... Packed>
schema make_schema();

template <class... Packed, class... Children>
std::vector<schema> make_children(type_list<Children...>) {
  std::vector<schema> all;
  all.reserve(sizeof...(Children));
  (all.push_back(make_schema<Children, Packed...>()), ...);
  return all;
}

/// `^0` for the innermost packed type around.
template <class T, class... Packed>
std::string reference_code() {
  std::size_t level = 0;
  bool found = false;
  ((found = found || std::is_same_v<T, Packed>, level += found ? 0 : 1), ...);
  return '^' + std::to_string(level);
}

/// A name that a type gives itself, fit for the schema's text and for the header.
inline std::string checked_tag(std::string tag) {
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

// Two alternatives that look alike could change places unseen.
inline void require_distinct_alternatives(const schema& s) {
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

template <class T>
void append_renames(schema& s) {
  if constexpr (requires { std::begin(evolution_of<T>::renamed); }) {
    static_assert(requires { { *std::begin(evolution_of<T>::renamed) } -> std::convertible_to<renamed_path>; }, "tidemark: renamed is an array of tidemark::renamed_path");
    if constexpr (has_evolution<T>()) {
      for (const renamed_path r : evolution_of<T>::renamed) s.renames.push_back({std::string(r.from), std::string(r.to), r.since});
    }
  }
}

/// Names of members that are given, and not a compiler's: each fit for a schema and a header, and no two alike.
inline void require_fit_names(const schema& s) {
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

/// A rule whose target is neither a member nor what another rule goes on from is a slip of the pen, and would lose a value.
inline void require_known_targets(const schema& s) {
  for (const rename_rule& r : s.renames) {
    const bool is_known = member_at(s, r.to) != nullptr || std::any_of(s.renames.begin(), s.renames.end(), [&](const rename_rule& next) { return next.from == r.to; });
    if (!is_known) throw error({.code = errc::unsupported, .action = "describe a type", .problem = "it says that \"" + r.from + "\" was renamed to \"" + r.to + "\", and has no such member"});
  }
}

template <class T, class... Packed>
schema make_record() {
  schema s;
  s.kind = kind::record;
  if constexpr (requires { std::string_view(T::checkpoint_name); }) s.tag = checked_tag(std::string(T::checkpoint_name));
  s.version = version_of<T>();
  s.is_row = as_rows<T>;
  s.migrates = Migrates<T>;
  append_renames<T>(s);
  static_assert(has_evolution<T>() || !requires { T::renamed[0].from; }, "tidemark: renamed and migrate say what became of an older version; give the type a checkpoint_version");
  static_assert(!NamesMigrate<T> || CallsMigrate<T>, "tidemark: migrate must be static void migrate(T& value, const tidemark::stored_record& old)");
  s.names.reserve(children_of<T>::size);
  for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
    s.names.emplace_back(child_name<T, I>());
    amending([&] { s.children.push_back(make_schema<M, Packed...>()); },
             [&](error_details& details) { details.tensor = s.names.back() + (details.tensor.empty() ? "" : ".") + details.tensor; });
  });
  require_fit_names(s);
  require_known_targets(s);
  return s;
}

template <class T, class... Packed>
schema make_schema() {
  schema s;
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    s = make_schema<typename representation<T>::type, Packed...>();
    const std::string name = checked_tag(representation<T>::name());
    s.tag = (name.empty() ? "snapshot" : name) + (s.tag.empty() ? "" : "=@" + s.tag);  // never none: it tells a class from its value
    return s;
  } else if constexpr (is == category::record) {
    return make_record<T, Packed...>();
  } else if constexpr (is == category::packed) {
    if constexpr ((std::is_same_v<T, Packed> || ...)) {
      s.kind = kind::scalar;
      s.code = reference_code<T, Packed...>();
    } else {
      s.kind = kind::opaque;
      s.children.push_back(make_record<T, T, Packed...>());
    }
    return s;
  }
  s.children = make_children<Packed...>(children_of<T>{});
  if constexpr (is == category::scalar) {
    s.kind = kind::scalar;
    s.code = scalar_traits<T>::code();
  } else if constexpr (is == category::text) {
    s.kind = kind::text;
  } else if constexpr (is == category::array || is == category::sequence || is == category::set) {
    s.kind = fixed_leaf<element_of<T>>::is_leaf ? kind::array : kind::sequence;
    if constexpr (is_fixed_size<T>) s.extent = structure<T>::extent;
    if constexpr (Unordered<T>) s.tag = "unordered";  // it has tensors of its own
  } else if constexpr (is == category::borrowed) {
    s.kind = kind::array;
    s.rank = structure<T>::rank;
  } else if constexpr (is == category::tensors) {
    s.kind = kind::map;
    s.children.push_back({.kind = kind::text});
    s.children.push_back({.kind = kind::scalar, .code = "*"});
  } else if constexpr (is == category::map) {
    s.kind = kind::map;
    if constexpr (Unordered<T>) s.tag = Multiple<T> ? "unordered_multi" : "unordered";
    else if constexpr (Multiple<T>) s.tag = "multi";  // its values have no names of their own
  } else if constexpr (is == category::optional) {
    s.kind = kind::optional;
  } else if constexpr (is == category::variant) {
    s.kind = kind::variant;
    require_distinct_alternatives(s);
  } else if constexpr (is == category::tuple) {
    s.kind = kind::tuple;
  }
  return s;
}

inline void describe(std::string& text, const schema& s, const std::string& path) {
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

}  // namespace detail

/// The schema of `T`, made once. Throws `error` (unsupported) for a variant whose alternatives a file could not tell apart, and for a
/// name that a type gives itself and that cannot be written.
template <class T>
const schema& schema_of() {
  detail::require_restorable<T>();
  static const schema made = [] {
    schema s = detail::make_schema<T>();
    if (detail::depth_of(s) > detail::max_schema_depth) throw error({.code = errc::limit, .problem = "the type has more than 100 levels"});
    return s;
  }();
  return made;
}

/// A line for each member of `T`, for people: its path and what it is stored as.
template <class T>
std::string describe() {
  std::string text;
  detail::describe(text, schema_of<T>(), {});
  return text;
}

}  // namespace tidemark
#endif
