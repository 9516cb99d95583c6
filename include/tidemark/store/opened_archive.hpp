// SPDX-License-Identifier: BSL-1.0
// store/opened_archive.hpp: header and digests of a source, of one file or of several shards as one (floor: store).
#ifndef TIDEMARK_STORE_OPENED_ARCHIVE_HPP
#define TIDEMARK_STORE_OPENED_ARCHIVE_HPP

#include <tidemark/format/digests.hpp>
#include <tidemark/format/header.hpp>
#include <tidemark/store/file_digests.hpp>
#include <tidemark/store/source_ref.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tidemark::detail {

/// Which of how many shards a file is, as its metadata say it: `2/4`.
inline constexpr std::string_view shard_key = "tidemark.shard";

struct opened_archive {
  file_header header;
  file_digests digests;
  digest128 digest{};                   ///< over the digests, of several shards over those of each
  std::vector<file_header> shards{};  ///< where there are several: names, shapes and metadata of `header` lie in these
};

/// The digests that the file at `start` of the source keeps, checked against themselves and the header; none where it keeps none.
digest_table read_digests(const source_ref& source, std::uint64_t start, const file_header& header);

struct opened_file {
  file_header header;
  digest_table digests;
};

/// Reads header and digests of the file that lies in the source at `start`, `bytes` long, and checks each. Throws `error`.
opened_file open_file(const source_ref& source, std::uint64_t start, std::uint64_t bytes);

/// Throws where shard `i` of `count` is not the one that the manifest tells of, or belongs to another save than the first.
void require_shard(const opened_file& shard, const source_part& part, const file_header& first, std::size_t i, std::size_t count);

/// Several shards as one archive: offsets count from the start of the first shard's file.
opened_archive open_shards(const source_ref& source);

/// Throws `error`: corrupt, truncated, newer_version, limit, io.
opened_archive open_archive(const source_ref& source);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/opened_archive.ipp>
#endif
#endif
