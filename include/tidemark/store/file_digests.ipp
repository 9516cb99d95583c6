// SPDX-License-Identifier: BSL-1.0
// store/file_digests.ipp: the definitions of file_digests.hpp (floor: store).
#ifndef TIDEMARK_STORE_FILE_DIGESTS_IPP
#define TIDEMARK_STORE_FILE_DIGESTS_IPP

#include <tidemark/store/file_digests.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <iterator>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void file_digests::require(const tensor_info& tensor, std::size_t at, std::uint64_t block, const digest128& found) const {
  const digest128& stored = table_.block(at, block);
  if (stored == found) return;
  const std::uint64_t first = block * block_bytes;
  const std::uint64_t last = (std::min)(first + block_bytes, tensor.bytes) - 1;
  throw error({.code = errc::corrupt,
               .file = file_of(tensor),
               .tensor = std::string(tensor.name),
               .problem = "block " + std::to_string(block + 1) + " of " + std::to_string(blocks_of(tensor.bytes)) + " (bytes " + std::to_string(first) +
                          ".." + std::to_string(last) + ") does not match its digest",
               .expected = to_hex(stored),
               .found = to_hex(found),
               .advice = "The file is damaged, or another program has changed it. Take an older checkpoint."});
}

TIDEMARK_DETAIL_INLINE std::string file_digests::file_of(const tensor_info& tensor) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), tensor.offset, [](std::uint64_t at, const source_part& part) { return at < part.start; });
  return after == parts_.begin() ? std::string{} : std::prev(after)->name;
}

}  // namespace tidemark::detail
#endif
