// SPDX-License-Identifier: BSL-1.0
// archive/schema_layout.hpp: from a schema alone, at run time, how its values became tensors: what layout.hpp says of types (floor: archive).
#ifndef TIDEMARK_ARCHIVE_SCHEMA_LAYOUT_HPP
#define TIDEMARK_ARCHIVE_SCHEMA_LAYOUT_HPP

#include <tidemark/archive/layout.hpp>
#include <tidemark/core/dtype.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/model/schema.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tidemark::detail {

/// How a scalar of some code lies in a tensor.
struct scalar_layout {
  dtype type = dtype::u8;
  std::uint64_t bytes = 1;
  std::vector<std::uint64_t> trailing{};  ///< extents that the element itself takes
};

scalar_layout layout_of_plain_scalar(std::string_view code);

/// Throws `error` (unsupported) for a code of which only the type that wrote it knows more.
scalar_layout layout_of_scalar(std::string_view code);

/// A scalar, or an array (of arrays ...) of scalars of a fixed shape.
bool is_fixed_leaf(const schema& s);

bool is_packed(const schema& s);

/// Whether its values leave nothing in a file.
bool takes_nothing(const schema& s);

bool is_list(const schema& s);

/// The values of `named_tensors`: each a tensor of its own type and shape.
inline bool is_any_tensor(const schema& s) { return s.kind == kind::scalar && s.code == "*"; }

bool has_runtime_array_in(const schema& s);

bool is_modular_schema(const schema& s);

/// Whether its innermost tag, its own, is this one: those around it are names that classes give themselves.
bool is_tagged(const schema& s, std::string_view tag);

bool is_named_map_schema(const schema& s);

bool is_unordered_schema(const schema& s);

count_source count_source_of_schema(const schema& s);

bool has_repeated_side_tensors(const schema& s);

bool has_side_tensors_of(const schema& s, bool in_column);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/schema_layout.ipp>
#endif
#endif
