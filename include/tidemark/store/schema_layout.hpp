// SPDX-License-Identifier: BSL-1.0
// store/schema_layout.hpp: from the schema in a file, how its values became tensors: archive/layout.hpp for a type that only the file knows (floor: store).
#ifndef TIDEMARK_STORE_SCHEMA_LAYOUT_HPP
#define TIDEMARK_STORE_SCHEMA_LAYOUT_HPP

#include <tidemark/archive/layout.hpp>
#include <tidemark/model/schema.hpp>

#include <algorithm>

namespace tidemark::detail {

/// The properties of docs/format.md, "Values", of a type that is given by its schema. Tests hold them to those of C++ types.
struct schema_layout {
  static bool is_sized(const schema& s) noexcept { return s.extent != schema::any_size; }

  static bool has_runtime_array(const schema& s) {
    if (s.kind == kind::map || ((s.kind == kind::array || s.kind == kind::sequence) && !is_sized(s))) return true;
    return std::any_of(s.children.begin(), s.children.end(), has_runtime_array);
  }

  static bool is_modular(const schema& s) {
    if (s.kind == kind::record || s.kind == kind::tuple) return has_runtime_array(s);
    return std::any_of(s.children.begin(), s.children.end(), is_modular);
  }

  static bool is_plain_vector(const schema& s) noexcept { return s.kind == kind::array && !is_sized(s); }

  /// A map whose values lie one by one at the names of their keys.
  static bool is_named_map(const schema& s) {
    return s.kind == kind::map && s.children[0].kind == kind::text && s.children[0].tag.empty() &&
           (is_modular(s.children[1]) || is_plain_vector(s.children[1]));
  }

  static count_source counter(const schema& s) {
    switch (s.kind) {
      case kind::scalar:
      case kind::optional:
      case kind::variant: return count_source::shape;
      case kind::text:
      case kind::map: return count_source::offsets;
      case kind::array: return is_sized(s) ? count_source::shape : count_source::offsets;
      case kind::sequence:
        if (!is_sized(s)) return count_source::offsets;
        return counter(s.children[0]) == count_source::shape ? count_source::shape : count_source::size_tensor;
      case kind::tuple:
      case kind::record: break;
    }
    for (const schema& child : s.children) {
      const count_source found = counter(child);
      if (found != count_source::size_tensor) return found;
    }
    return count_source::size_tensor;
  }

  static bool has_side_tensors(const schema& s, bool in_column) {
    switch (s.kind) {
      case kind::optional:
      case kind::variant:
      case kind::map: return true;
      case kind::text: return in_column;
      case kind::array: return in_column && !is_sized(s);
      case kind::sequence: {
        const schema& element = s.children[0];
        if (!in_column && is_modular(element)) return !is_sized(s);
        if (is_sized(s)) return has_side_tensors(element, true);
        return in_column || counter(element) == count_source::size_tensor || has_side_tensors(element, true);
      }
      default: return false;
    }
  }
};

}  // namespace tidemark::detail
#endif
