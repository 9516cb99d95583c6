// SPDX-License-Identifier: BSL-1.0
// format/name_index.ipp: the definitions of name_index.hpp (floor: format).
#ifndef TIDEMARK_FORMAT_NAME_INDEX_IPP
#define TIDEMARK_FORMAT_NAME_INDEX_IPP

#include <tidemark/format/name_index.hpp>

#include <tidemark/core/digest.hpp>
#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE bool name_index::insert(std::span<const tensor_info> tensors, std::uint32_t position) {
  const std::uint32_t at = slot_of(tensors, tensors[position].name);
  if (slots_[at] != none) return false;
  slots_[at] = position;
  return true;
}

TIDEMARK_DETAIL_INLINE std::uint32_t name_index::find(std::span<const tensor_info> tensors, std::string_view name) const noexcept {
  return slots_.empty() ? none : slots_[slot_of(tensors, name)];
}

TIDEMARK_DETAIL_INLINE std::uint32_t name_index::slot_of(std::span<const tensor_info> tensors, std::string_view name) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash64(name, reinterpret_cast<std::uintptr_t>(slots_.data())) & mask;
  while (slots_[at] != none && tensors[slots_[at]].name != name) at = (at + 1) & mask;
  return static_cast<std::uint32_t>(at);
}

TIDEMARK_DETAIL_INLINE std::vector<std::uint32_t> order_by_name(std::span<const tensor_info> tensors) {
  struct key {
    std::uint64_t head;  // the first eight bytes after what all names share: most comparisons end there
    std::uint32_t position;
  };
  std::size_t shared = tensors.empty() ? 0 : tensors[0].name.size();
  for (const auto& t : tensors) {
    std::size_t same = 0;
    while (same < (std::min)(shared, t.name.size()) && t.name[same] == tensors[0].name[same]) ++same;
    shared = same;
    if (shared == 0) break;
  }
  std::vector<key> keys(tensors.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view rest = tensors[i].name.substr(shared, 8);
    std::uint64_t head = 0;
    for (std::size_t b = 0; b < 8; ++b) head = head << 8 | (b < rest.size() ? static_cast<unsigned char>(rest[b]) : 0u);
    keys[i] = {head, static_cast<std::uint32_t>(i)};
  }
  merge_sort_runs(keys, [&](const key& a, const key& b) {
    return a.head != b.head ? a.head < b.head : tensors[a.position].name < tensors[b.position].name;
  });
  std::vector<std::uint32_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].position;
  return order;
}

}  // namespace tidemark::detail
#endif
