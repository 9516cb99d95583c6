// SPDX-License-Identifier: BSL-1.0
// archive/stored_column.ipp: the definitions of stored_column.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_STORED_COLUMN_IPP
#define TIDEMARK_ARCHIVE_STORED_COLUMN_IPP

#include <tidemark/archive/stored_column.hpp>

#include <tidemark/archive/pack.hpp>
#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <numeric>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::vector<std::size_t> order_of_members(const schema& record) {
  std::vector<std::size_t> order(record.children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (record.kind == kind::record) std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return record.names[a] < record.names[b]; });
  return order;
}

TIDEMARK_DETAIL_INLINE std::string step_name(const schema& s, std::size_t child) { return s.kind == kind::record ? s.names[child] : std::to_string(child); }

TIDEMARK_DETAIL_INLINE void stored_column::append_next(std::string& out) {
  const std::uint64_t at = next++;
  const auto piece = [&](const std::string& from, std::uint64_t start, std::uint64_t size) {
    out.append(from, static_cast<std::size_t>(start), static_cast<std::size_t>(size));
  };
  if (is_fixed_leaf(*type)) return piece(bytes, at * stride, stride);
  if (type->kind == kind::text || is_packed(*type)) {
    if (type->kind == kind::text) append_count(out, offsets[at + 1] - offsets[at]);
    return piece(bytes, offsets[at], offsets[at + 1] - offsets[at]);
  }
  switch (type->kind) {
    case kind::optional:
      out += bytes[at];
      if (bytes[at] != 0) parts[0].append_next(out);
      return;
    case kind::variant: {
      piece(bytes, at * 4, 4);
      return parts[load_as<std::uint32_t>(reinterpret_cast<const std::byte*>(bytes.data()) + at * 4)].append_next(out);
    }
    case kind::array:
    case kind::sequence:
    case kind::map: {
      if (!buckets.empty()) piece(buckets, at * 8, 8);
      if (!loads.empty()) piece(loads, at * 4, 4);
      const std::uint64_t count = type->extent != schema::any_size ? type->extent : offsets[at + 1] - offsets[at];
      if (type->extent == schema::any_size) append_count(out, count);
      if (takes_nothing(type->children[0]) && type->kind != kind::map) return;
      for (std::uint64_t i = 0; i < count; ++i) {
        for (auto& part : parts) part.append_next(out);
      }
      return;
    }
    default:
      for (auto& part : parts) part.append_next(out);
  }
}

}  // namespace tidemark::detail
#endif
