// SPDX-License-Identifier: BSL-1.0
// model/schema_of.hpp: the schema of a C++ type, and a description of it for people (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_OF_HPP
#define TIDEMARK_MODEL_SCHEMA_OF_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/model/diagnosis.hpp>
#include <tidemark/model/evolution.hpp>
#include <tidemark/model/schema.hpp>

#include <concepts>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
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
std::string checked_tag(std::string tag);

// Two alternatives that look alike could change places unseen.
void require_distinct_alternatives(const schema& s);

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
void require_fit_names(const schema& s);

/// A rule whose target is neither a member nor what another rule goes on from is a slip of the pen, and would lose a value.
void require_known_targets(const schema& s);

/// Appends a member to a record; an error of `make` then names it.
void add_member(schema& record, std::string_view name, schema (*make)());

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
  for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
    add_member(s, child_name<T, I>(), make_schema<M, Packed...>);
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

void describe(std::string& text, const schema& s, const std::string& path);

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

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/schema_of.ipp>
#endif
#endif
