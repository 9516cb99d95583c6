// SPDX-License-Identifier: BSL-1.0
// archive/stored_record.ipp: the definitions of stored_record.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_STORED_RECORD_IPP
#define TIDEMARK_ARCHIVE_STORED_RECORD_IPP

#include <tidemark/archive/stored_record.hpp>

#include <tidemark/archive/repack.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/model/evolve_plan.hpp>

#include <algorithm>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const packed_frame* enclosing(const schema& reference, const packed_frame* around) {
  for (auto level = std::stoul(reference.code.substr(1)); level > 0 && around != nullptr; --level) around = around->around;
  if (around == nullptr) packed_bytes::fail("it refers to a type around that there is not");
  return around;
}

TIDEMARK_DETAIL_INLINE any_tensor take_any_tensor(packed_bytes& in) {
  any_tensor t;
  const std::string_view name = in.text();
  if (!find_dtype(name, t.type)) packed_bytes::fail("a tensor is of no known type", {}, std::string(name.substr(0, 20)), errc::invalid_value);
  const std::uint64_t rank = in.count();
  if (rank > extents::max_rank) packed_bytes::fail("a tensor has too many dimensions", std::to_string(extents::max_rank) + " at most", std::to_string(rank), errc::invalid_value);
  for (std::uint64_t i = 0; i < rank; ++i) t.shape.push_back(in.count());
  bool fits = true;
  const std::uint64_t size = tensor_bytes(t.type, t.shape, fits);
  const std::byte* from = in.take(fits ? size : UINT64_MAX);
  t.bytes = {from, static_cast<std::size_t>(size)};
  return t;
}

TIDEMARK_DETAIL_INLINE void skip_packed(packed_bytes& in, packed_frame at, int depth) {
  const schema& s = *at.record;
  if (depth > max_packed_depth) fail_packed_depth();
  const auto skip = [&](const schema& child) { skip_packed(in, {&child, at.around}, depth + 1); };
  switch (s.kind) {
    case kind::scalar:
      if (s.code.starts_with('^')) {
        const packed_frame* frame = enclosing(s, at.around);
        for (const std::size_t i : order_of_members(*frame->record)) skip_packed(in, {&frame->record->children[i], frame}, depth + 1);
      } else if (is_any_tensor(s)) {
        take_any_tensor(in);
      } else {
        in.take(layout_of_scalar(s.code).bytes);
      }
      return;
    case kind::text: in.take(in.count()); return;
    case kind::opaque: {
      const packed_frame frame{&s.children[0], at.around};
      for (const std::size_t i : order_of_members(s.children[0])) skip_packed(in, {&s.children[0].children[i], &frame}, depth + 1);
      return;
    }
    case kind::optional:
      if (std::to_integer<unsigned>(*in.take(1)) != 0) skip(s.children[0]);
      return;
    case kind::variant: {
      const auto index = load_as<std::uint32_t>(in.take(4));
      if (index >= s.children.size()) packed_bytes::fail("a variant has no such alternative", {}, std::to_string(index), errc::invalid_value);
      return skip(s.children[index]);
    }
    case kind::array:
    case kind::sequence:
    case kind::map: {
      if (is_unordered_schema(s)) in.take(12);
      const std::uint64_t count = s.extent != schema::any_size ? s.extent : in.count();
      if (s.kind != kind::map && takes_nothing(s.children[0])) return;
      if (s.kind != kind::map && is_fixed_leaf(s.children[0]) && !is_any_tensor(s.children[0])) {
        bool fits = true;
        std::uint64_t bytes = count;
        const schema* leaf = &s.children[0];
        for (; leaf->kind == kind::array; leaf = &leaf->children[0]) bytes = multiply(bytes, leaf->extent, fits);
        bytes = multiply(bytes, layout_of_scalar(leaf->code).bytes, fits);
        in.take(fits ? bytes : UINT64_MAX);
        return;
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t before = in.left.size();
        for (const schema& child : s.children) skip(child);
        if (in.left.size() == before) return;  // nor do the others take bytes, whatever their number
      }
      return;
    }
    default:
      for (const std::size_t i : order_of_members(s)) skip(s.children[i]);
  }
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE stored_record::stored_record(const schema& record, const detail::packed_frame* around, detail::packed_bytes& in, int depth)
    : record_(&record), around_(around), members_(members_of(record, around, in, depth)) {}

TIDEMARK_DETAIL_INLINE stored_record::stored_record(const schema& record, std::function<void(std::string_view path, std::string& storage)> fetch)
    : record_(&record), fetch_(std::move(fetch)) {}

TIDEMARK_DETAIL_INLINE stored_record::~stored_record() = default;

TIDEMARK_DETAIL_INLINE detail::bytes_view stored_record::bytes_of_member(std::string_view path, std::string& storage) const {
  if (fetch_) {
    fetch_(path, storage);
    return detail::bytes_of(storage);
  }
  const schema* at = record_;
  std::vector<detail::bytes_view> inner;
  for (const auto* members = &members_;; members = &inner) {
    const std::string_view name = path.substr(0, path.find('.'));
    const auto found = static_cast<std::size_t>(std::find(at->names.begin(), at->names.end(), name) - at->names.begin());
    if (name.size() == path.size()) return (*members)[found];
    detail::packed_bytes in{(*members)[found]};
    at = &at->children[found];
    inner = members_of(*at, around_, in, 0);
    path.remove_prefix(name.size() + 1);
  }
}

TIDEMARK_DETAIL_INLINE std::vector<detail::bytes_view> stored_record::members_of(const schema& record, const detail::packed_frame* around, detail::packed_bytes& in, int depth) {
  std::vector<detail::bytes_view> all(record.children.size());
  for (const std::size_t i : detail::order_of_members(record)) {
    const detail::bytes_view start = in.left;
    detail::skip_packed(in, {&record.children[i], around}, depth + 1);
    all[i] = start.first(start.size() - in.left.size());
  }
  return all;
}

}  // namespace tidemark
#endif
