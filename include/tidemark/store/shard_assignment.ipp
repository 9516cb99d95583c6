// SPDX-License-Identifier: BSL-1.0
// store/shard_assignment.ipp: the definitions of shard_assignment.hpp (floor: store).
#ifndef TIDEMARK_STORE_SHARD_ASSIGNMENT_IPP
#define TIDEMARK_STORE_SHARD_ASSIGNMENT_IPP

#include <tidemark/store/shard_assignment.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <map>

namespace tidemark {

TIDEMARK_DETAIL_INLINE shard_assignment::shard_assignment(group_function group) : way_(way::by_group), group_(std::move(group)) {
  if (!group_) throw error({.code = errc::unsupported, .problem = "by_group was given no function"});
}

}  // namespace tidemark

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void shard_part::add(const planned_tensor& t) {
  tensors.push_back(t);
  tensors.back().info.offset = bytes;
  bytes += t.info.bytes;
}

TIDEMARK_DETAIL_INLINE std::vector<std::size_t> dealt_out(std::span<const planned_tensor> tensors, std::size_t shards, bool in_turn) {
  std::vector<std::size_t> shard_of(tensors.size());
  if (in_turn) {
    for (std::size_t i = 0; i < tensors.size(); ++i) shard_of[i] = i % shards;
    return shard_of;
  }
  std::vector<std::size_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // No stable_sort: with libstdc++ 12 it is an error for clang 19, as it calls what C++17 deprecates.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensors[a].info.bytes != tensors[b].info.bytes ? tensors[a].info.bytes > tensors[b].info.bytes : a < b;
  });
  // Least bytes first, then fewest tensors, so that no shard stays empty while there are tensors, be they empty themselves.
  using load = std::pair<std::pair<std::uint64_t, std::size_t>, std::size_t>;
  std::vector<load> heap;
  for (std::size_t s = 0; s < shards; ++s) heap.push_back({{0, 0}, s});
  for (const std::size_t i : order) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    auto& [used, shard] = heap.back();
    shard_of[i] = shard;
    used.first += tensors[i].info.bytes;
    ++used.second;
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  return shard_of;
}

TIDEMARK_DETAIL_INLINE std::vector<shard_part> parts_of(std::span<const planned_tensor> tensors, const std::vector<std::size_t>& shard_of, std::size_t shards) {
  std::vector<shard_part> parts(shards);
  for (std::size_t i = 0; i < tensors.size(); ++i) parts[shard_of[i]].add(tensors[i]);
  return parts;
}

TIDEMARK_DETAIL_INLINE bool is_within(const shard_part& part, std::uint64_t max_bytes) { return part.bytes <= max_bytes || part.tensors.size() == 1; }

TIDEMARK_DETAIL_INLINE std::vector<shard_part> assign_shards(std::span<const planned_tensor> tensors, std::size_t shards, std::uint64_t max_bytes,
                                                             const shard_assignment& assign) {
  if (tensors.empty()) return std::vector<shard_part>(1);
  if (assign.how() == shard_assignment::way::by_group) {
    std::map<std::string, std::size_t> current;  // a group's last shard
    std::vector<shard_part> parts;
    for (const planned_tensor& t : tensors) {
      const auto [group, is_new] = current.try_emplace(assign.group_of(t.info.name), parts.size());
      if (is_new) parts.emplace_back();
      const shard_part& last = parts[group->second];
      if (max_bytes != 0 && !last.tensors.empty() && (t.info.bytes > max_bytes || last.bytes > max_bytes - t.info.bytes)) {
        group->second = parts.size();
        parts.emplace_back();
      }
      parts[group->second].add(t);
    }
    return parts;
  }
  const bool in_turn = assign.how() == shard_assignment::way::round_robin;
  if (shards != 0) {
    shards = (std::min)(shards, tensors.size());
    return parts_of(tensors, dealt_out(tensors, shards, in_turn), shards);
  }
  std::uint64_t total = 0;
  for (const planned_tensor& t : tensors) total += t.info.bytes;
  // As few as can hold it; more where the tensors do not divide evenly.
  for (std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(total / max_bytes + (total % max_bytes != 0), tensors.size()));; n += n / 8 + 1) {
    n = (std::min)((std::max<std::size_t>)(n, 1), tensors.size());
    auto parts = parts_of(tensors, dealt_out(tensors, n, in_turn), n);
    if (n == tensors.size() || std::all_of(parts.begin(), parts.end(), [&](const shard_part& p) { return is_within(p, max_bytes); })) return parts;
  }
}

}  // namespace tidemark::detail
#endif
