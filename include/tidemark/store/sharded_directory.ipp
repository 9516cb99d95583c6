// SPDX-License-Identifier: BSL-1.0
// store/sharded_directory.ipp: the definitions of sharded_directory.hpp (floor: store).
#ifndef TIDEMARK_STORE_SHARDED_DIRECTORY_IPP
#define TIDEMARK_STORE_SHARDED_DIRECTORY_IPP

#include <tidemark/store/sharded_directory.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/store/opened_archive.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void require_usable(const sharding& how, const std::string& path) {
  if (how.shards == 0 && how.max_shard_bytes == 0 && how.assign.how() != shard_assignment::way::by_group) {
    throw error({.code = errc::unsupported, .file = path, .problem = "neither a number of shards nor their size is given", .advice = "Set .shards or .max_shard_bytes."});
  }
  const auto require_flat = [&](const std::string& name, const char* problem) {
    if (is_flat_name(name)) return;
    throw error({.code = errc::invalid_value, .file = path, .problem = problem, .expected = "letters, digits, '-', '_' and '.', 255 at most", .found = name});
  };
  if (how.compression.wrap) require_flat(shard_name(0, 1) + how.compression.suffix, "the compression's suffix makes names that no reader follows");
  if (how.sums.start) require_flat(how.sums.list_name, "this is no name for the list of sums");
}

TIDEMARK_DETAIL_INLINE shard_layouts::shard_layouts(plan_view plan, const sharding& how, const std::string& identity, const metadata_list& extra) : parts(assign_shards(plan.tensors, how.shards, how.max_shard_bytes, how.assign)) {
  metadata_list metadata = full_metadata(identity, extra, 3);
  layouts.reserve(parts.size());
  metadata.emplace_back(shard_key, std::string{});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    metadata.back().second = std::to_string(i + 1) + '/' + std::to_string(parts.size());
    layouts.emplace_back(plan_view(parts[i].tensors, parts[i].bytes), metadata);
  }
}

TIDEMARK_DETAIL_INLINE std::uint64_t shard_layouts::bytes() const {
  std::uint64_t all = 0;
  for (const archive_layout& layout : layouts) all += layout.bytes();
  return all;
}

TIDEMARK_DETAIL_INLINE digest128 shard_layouts::own_digest() const {
  hasher all;
  for (const archive_layout& layout : layouts) all.update(layout.own_digest().bytes);
  return all.finish();
}

TIDEMARK_DETAIL_INLINE digest128 shard_layouts::digest() {
  for (archive_layout& layout : layouts) static_cast<void>(layout.digest());
  return own_digest();
}

}  // namespace tidemark::detail
#endif
