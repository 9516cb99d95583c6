// SPDX-License-Identifier: BSL-1.0
// run/run_folder.ipp: the definitions of run_folder.hpp (floor: run).
#ifndef TIDEMARK_RUN_RUN_FOLDER_IPP
#define TIDEMARK_RUN_RUN_FOLDER_IPP

#include <tidemark/run/run_folder.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE bool is_checkpoint_suffix(std::string_view suffix, std::string_view compressed) noexcept {
  constexpr std::string_view plain = ".safetensors";
  if (!suffix.starts_with(plain)) return false;
  suffix.remove_prefix(plain.size());
  return suffix.empty() || suffix == ".zst" || suffix == compressed;
}

TIDEMARK_DETAIL_INLINE std::optional<listed_checkpoint> as_checkpoint(const folder_entry& entry, std::string_view compressed) {
  const auto parsed = parse_checkpoint_name(entry.name);
  if (!parsed) return std::nullopt;
  const bool is_folder = entry.kind == entry_kind::folder;
  if (is_folder ? !parsed->suffix.empty() : entry.kind != entry_kind::file || !is_checkpoint_suffix(parsed->suffix, compressed)) return std::nullopt;
  return listed_checkpoint{parsed->name, entry.name, is_folder};
}

TIDEMARK_DETAIL_INLINE bool is_shard_folder_name(std::string_view name) noexcept {
  return name == manifest_name || name == shard_index_name || (name.starts_with("model-") && is_flat_name(name)) || (name.ends_with("SUMS") && is_flat_name(name));
}

TIDEMARK_DETAIL_INLINE bool is_trash_name(std::string_view name) noexcept {
  return name.starts_with(trash_prefix) && are_random_digits(name.substr(trash_prefix.size()));
}

}  // namespace tidemark::detail
#endif
