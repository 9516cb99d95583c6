// SPDX-License-Identifier: BSL-1.0
// archive/repack.ipp: the definitions of repack.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_REPACK_IPP
#define TIDEMARK_ARCHIVE_REPACK_IPP

#include <tidemark/archive/repack.hpp>

#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <string_view>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void repacker::append(std::string& out, const schema& s) {
  if (is_any_tensor(s)) {
    const tensor_info* tensor = at_.in.find(at_.name.text());
    if (tensor == nullptr) at_.fail("it is missing");
    detail::append_tensor(out, tensor->type, tensor->shape, {});
    return append_tensor(out, *tensor);
  }
  if (is_fixed_leaf(s)) return append_tensor(out, require(s, {}));
  if (s.kind == kind::text || is_packed(s)) {
    std::uint64_t size = 0;
    const tensor_info& tensor = at_.require_array<unsigned char>(size);
    if (s.kind == kind::text) append_count(out, size);
    return append_tensor(out, tensor);
  }
  switch (s.kind) {
    case kind::array:
    case kind::sequence: return append_list(out, s);
    case kind::map: return append_map(out, s);
    case kind::optional: {
      std::string has;
      {
        const auto scope = at_.name.side("has");
        append_tensor(has, at_.require(dtype::boolean, {}));
        require_flags(has);
      }
      out += has;
      const auto scope = at_.name.payload(has_side_tensors_of(s.children[0], false));
      if (has[0] != 0) append(out, s.children[0]);
      return;
    }
    case kind::variant: {
      std::string index;
      {
        const auto scope = at_.name.side("index");
        append_tensor(index, at_.require(dtype::u32, {}));
        require_indices(index, s);
      }
      out += index;
      const auto active = load_as<std::uint32_t>(reinterpret_cast<const std::byte*>(index.data()));
      const auto scope = at_.name.side(active);
      return append(out, s.children[active]);
    }
    default:
      for (const std::size_t i : order_of_members(s)) {
        const auto scope = at_.name.member(step_name(s, i));
        append(out, s.children[i]);
      }
  }
}

TIDEMARK_DETAIL_INLINE void repacker::append_tensor(std::string& out, const tensor_info& tensor) {
  // Equal keys, or members whose names run into one another, may lead to one tensor again and again.
  if (tensor.bytes > left_) at_.fail("its schema asks for more bytes than the file has", {}, {}, errc::limit);
  left_ -= tensor.bytes;
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(tensor.bytes));
  input_stream stream = at_.in.open(tensor);
  stream.copy({reinterpret_cast<std::byte*>(out.data()) + start, static_cast<std::size_t>(tensor.bytes)});
  stream.finish();
}

TIDEMARK_DETAIL_INLINE void repacker::require_flags(const std::string& flags) const {
  for (const char c : flags) {
    if (c != 0 && c != 1) at_.fail("it holds a value that its type cannot have", "bool", {}, errc::invalid_value);
  }
}

TIDEMARK_DETAIL_INLINE void repacker::require_indices(const std::string& indices, const schema& s) const {
  for (std::size_t i = 0; i < indices.size(); i += 4) {
    const auto index = load_as<std::uint32_t>(reinterpret_cast<const std::byte*>(indices.data()) + i);
    if (index >= s.children.size()) {
      at_.fail("it holds a value that its type cannot have", "an index below " + std::to_string(s.children.size()), std::to_string(index), errc::invalid_value);
    }
  }
}

TIDEMARK_DETAIL_INLINE extents repacker::shape_of(const schema& leaf, const extents& prefix) {
  extents shape = prefix;
  const schema* s = &leaf;
  for (; s->kind == kind::array; s = &s->children[0]) shape = shape.with(s->extent);
  for (const std::uint64_t e : layout_of_scalar(s->code).trailing) shape = shape.with(e);
  return shape;
}

TIDEMARK_DETAIL_INLINE const tensor_info& repacker::require(const schema& leaf, const extents& prefix) {
  return at_.require(layout_of_scalar(scalar_in(leaf).code).type, shape_of(leaf, prefix));
}

TIDEMARK_DETAIL_INLINE std::uint64_t repacker::stored_count(const schema& s) {
  const auto first_extent = [&] {
    const tensor_info* tensor = at_.in.find(at_.name.text());
    if (tensor == nullptr) at_.fail("it is missing");
    if (tensor->shape.empty()) at_.fail("it has no first extent, which would be the number of values", {}, "a scalar");
    at_.require_sane(tensor->shape[0], 64);
    return tensor->shape[0];
  };
  const count_source from = count_source_of_schema(s);
  if (from == count_source::size_tensor) {
    const auto scope = at_.name.side("size");
    const std::uint64_t count = at_.number();
    at_.require_sane(count, 64);
    return count;
  }
  if (s.kind == kind::record || s.kind == kind::tuple) {
    for (std::size_t i = 0; i < s.children.size(); ++i) {
      if (count_source_of_schema(s.children[i]) != from) continue;
      const auto scope = at_.name.member(step_name(s, i));
      return stored_count(s.children[i]);
    }
  }
  if (from == count_source::offsets) {
    const auto scope = at_.name.side("offsets");
    const std::uint64_t extent = first_extent();
    if (extent == 0) at_.fail("it is empty", "at least one offset");
    return extent - 1;
  }
  if (s.kind == kind::optional || s.kind == kind::variant) {
    const auto scope = at_.name.side(s.kind == kind::optional ? "has" : "index");
    return first_extent();
  }
  if (s.kind == kind::sequence) return stored_count(s.children[0]);
  return first_extent();
}

TIDEMARK_DETAIL_INLINE std::vector<std::uint64_t> repacker::read_offsets(std::uint64_t count, std::uint64_t total) {
  const auto scope = at_.name.side("offsets");
  const tensor_info& tensor = at_.require(dtype::u64, extents(count + 1));
  std::vector<std::uint64_t> all(static_cast<std::size_t>(count) + 1);
  input_stream stream = at_.in.open(tensor);
  stream.copy({reinterpret_cast<std::byte*>(all.data()), all.size() * 8});
  stream.finish();
  if (all.front() != 0 || all.back() != total || !std::is_sorted(all.begin(), all.end())) {
    at_.fail("it holds a value that its type cannot have", "offsets that rise from 0 to " + std::to_string(total), {}, errc::invalid_value);
  }
  return all;
}

TIDEMARK_DETAIL_INLINE std::uint64_t repacker::require_extent(const schema& s, std::uint64_t count) {
  bool fits = true;
  const std::uint64_t all = multiply(count, s.extent, fits);
  if (!takes_nothing(s.children[0]) && (!fits || all > at_.in.data_bytes())) {
    at_.fail("it asks for more elements than the file has bytes", {}, to_text(s), errc::limit);
  }
  return s.extent;
}

TIDEMARK_DETAIL_INLINE void repacker::read_buckets(stored_column& column, const extents& prefix) {
  if (!is_unordered_schema(*column.type)) return;
  {
    const auto scope = at_.name.side("buckets");
    append_tensor(column.buckets, at_.require(dtype::u64, prefix));
  }
  const auto scope = at_.name.side("load");
  append_tensor(column.loads, at_.require(dtype::f32, prefix));
}

TIDEMARK_DETAIL_INLINE stored_column repacker::column(const schema& s, const extents& prefix) {
  stored_column made{.type = &s};
  if (is_any_tensor(s)) at_.fail("tensors of any shape make no column");
  if (is_fixed_leaf(s)) {
    const tensor_info& tensor = require(s, prefix);
    made.stride = layout_of_scalar(scalar_in(s).code).bytes;
    for (const schema* a = &s; a->kind == kind::array; a = &a->children[0]) made.stride *= a->extent;
    append_tensor(made.bytes, tensor);
    return made;
  }
  if (s.kind == kind::text || is_packed(s)) {
    std::uint64_t total = 0;
    const tensor_info& tensor = at_.require_array<unsigned char>(total);
    made.offsets = read_offsets(prefix.count(), total);
    append_tensor(made.bytes, tensor);
    return made;
  }
  switch (s.kind) {
    case kind::array:
    case kind::sequence: {
      const schema& element = s.children[0];
      if (s.extent != schema::any_size) {
        made.parts.push_back(column(element, prefix.with(require_extent(s, prefix.count()))));
        return made;
      }
      read_buckets(made, prefix);
      const bool is_item = s.kind == kind::sequence && has_repeated_side_tensors(element);
      std::uint64_t total = 0;
      {
        const auto scope = at_.name.payload(is_item);
        total = stored_count(element);
        made.parts.push_back(column(element, extents(total)));
      }
      made.offsets = read_offsets(prefix.count(), total);
      return made;
    }
    case kind::map: {
      read_buckets(made, prefix);
      std::uint64_t total = 0;
      {
        const auto scope = at_.name.side("keys");
        total = stored_count(s.children[0]);
        made.parts.push_back(column(s.children[0], extents(total)));
      }
      made.offsets = read_offsets(prefix.count(), total);
      const auto scope = at_.name.payload(has_side_tensors_of(s.children[1], true));
      made.parts.push_back(column(s.children[1], extents(total)));
      return made;
    }
    case kind::optional: {
      {
        const auto scope = at_.name.side("has");
        append_tensor(made.bytes, at_.require(dtype::boolean, prefix));
        require_flags(made.bytes);
      }
      const auto scope = at_.name.payload(has_side_tensors_of(s.children[0], true));
      made.parts.push_back(column(s.children[0], extents(static_cast<std::uint64_t>(std::count(made.bytes.begin(), made.bytes.end(), '\1')))));
      return made;
    }
    case kind::variant: {
      std::vector<std::uint64_t> counts(s.children.size());
      {
        const auto scope = at_.name.side("index");
        append_tensor(made.bytes, at_.require(dtype::u32, prefix));
        require_indices(made.bytes, s);
      }
      for (std::size_t i = 0; i < made.bytes.size(); i += 4) ++counts[load_as<std::uint32_t>(reinterpret_cast<const std::byte*>(made.bytes.data()) + i)];
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto scope = at_.name.side(i);
        made.parts.push_back(column(s.children[i], extents(counts[i])));
      }
      return made;
    }
    default:
      for (const std::size_t i : order_of_members(s)) {
        const auto scope = at_.name.member(step_name(s, i));
        made.parts.push_back(column(s.children[i], prefix));
      }
      return made;
  }
}

TIDEMARK_DETAIL_INLINE void repacker::append_list(std::string& out, const schema& s) {
  const schema& element = s.children[0];
  const bool has_extent = s.extent != schema::any_size;
  if (is_unordered_schema(s)) {
    stored_column own{.type = &s};
    read_buckets(own, {});
    out += own.buckets + own.loads;
  }
  if (s.kind == kind::array) {
    std::uint64_t count = 0;
    const scalar_layout scalar = layout_of_scalar(scalar_in(element).code);
    const tensor_info& tensor = at_.require(scalar.type);
    count = tensor.shape.empty() ? 0 : tensor.shape[0];
    if (!std::ranges::equal(tensor.shape, shape_of(element, extents(count)).view())) at_.fail("it has another shape", to_text(s), shape_text(tensor.type, tensor.shape));
    append_count(out, count);
    return append_tensor(out, tensor);
  }
  std::uint64_t count = s.extent;
  if (is_modular_schema(element)) {
    if (!has_extent) {
      const auto scope = at_.name.side("size");
      count = at_.number();
    }
    if (count > at_.in.tensor_count()) at_.fail("it asks for more elements than the file has tensors", {}, std::to_string(count));
    if (!has_extent) append_count(out, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto scope = at_.name.element(i);
      append(out, element);
    }
    return;
  }
  if (!has_extent) append_count(out, count = stored_count(element));
  else require_extent(s, 1);
  stored_column all = column(element, extents(count));
  if (takes_nothing(element)) return;
  for (std::uint64_t i = 0; i < count; ++i) all.append_next(out);
}

TIDEMARK_DETAIL_INLINE void repacker::append_map(std::string& out, const schema& s) {
  if (is_unordered_schema(s)) {
    stored_column own{.type = &s};
    read_buckets(own, {});
    out += own.buckets + own.loads;
  }
  std::uint64_t count = 0;
  stored_column keys = [&] {
    const auto scope = at_.name.side("keys");
    count = stored_count(s.children[0]);
    return column(s.children[0], extents(count));
  }();
  append_count(out, count);
  const schema& value = s.children[1];
  if (is_named_map_schema(s) || is_modular_schema(value)) {
    if (count > at_.in.tensor_count()) at_.fail("its map asks for more values than the file has tensors");
    const bool keep_dots = keeps_dots(value);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string key;
      keys.append_next(key);
      out += key;
      const auto scope = is_named_map_schema(s) ? at_.name.key(std::string_view(key).substr(8), keep_dots) : at_.name.element(i);
      append(out, value);
    }
    return;
  }
  const auto scope = at_.name.payload(has_side_tensors_of(value, true));
  stored_column values = column(value, extents(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    keys.append_next(out);
    values.append_next(out);
  }
}

}  // namespace tidemark::detail
#endif
