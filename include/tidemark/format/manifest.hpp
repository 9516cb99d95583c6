// SPDX-License-Identifier: BSL-1.0
// format/manifest.hpp: the file that commits a sharded checkpoint: its files, each with its size and digest (floor: format).
#ifndef TIDEMARK_FORMAT_MANIFEST_HPP
#define TIDEMARK_FORMAT_MANIFEST_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/version.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::detail {

inline constexpr std::string_view manifest_name = "tidemark.manifest.json";

/// The longest manifest that is read: more shards than anybody has.
inline constexpr std::uint64_t max_manifest_bytes = std::uint64_t{16} << 20;

struct manifest_entry {
  std::string name;
  std::uint64_t bytes = 0;
  std::string digest;     ///< XXH3-128 in hexadecimal; of a shard, that over all its digests (the first of `tidemark#digests`)
  bool is_shard = false;  ///< else a file beside the shards, such as the index
};

/// Whether a name from a file may be opened: one flat name, of no special meaning, that cannot lead out of its folder on any system.
bool is_flat_name(std::string_view name) noexcept;

inline constexpr std::string_view manifest_digest_key = ",\n\"digest\": \"";

/// JSON that ends with the digest of all that stands before it.
std::string make_manifest(const std::vector<manifest_entry>& entries);

/// Throws `error`: corrupt (another digest than its own, not as written here), newer_version, unsafe_path (a name that could lead out of
/// the folder).
std::vector<manifest_entry> parse_manifest(std::string text);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/manifest.ipp>
#endif
#endif
