// SPDX-License-Identifier: BSL-1.0
// store/file_digests.hpp: the digests of an opened file, and the error where a block does not match (floor: store).
#ifndef TIDEMARK_STORE_FILE_DIGESTS_HPP
#define TIDEMARK_STORE_FILE_DIGESTS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/store/source_ref.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Those of a file without any are empty.
class file_digests {
 public:
  file_digests() = default;
  /// `parts`: the files that the tensors lie in, where they are several.
  explicit file_digests(digest_table table, std::vector<source_part> parts = {}) : table_(std::move(table)), parts_(std::move(parts)) {}

  bool empty() const noexcept { return table_.empty(); }
  const digest_table& table() const noexcept { return table_; }

  /// Throws `error` (corrupt) where block `block` of the tensor at position `at` of the header has another digest than `found`.
  void require(const tensor_info& tensor, std::size_t at, std::uint64_t block, const digest128& found) const {
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

 private:
  /// Empty where there is but one.
  std::string file_of(const tensor_info& tensor) const {
    const auto after = std::upper_bound(parts_.begin(), parts_.end(), tensor.offset, [](std::uint64_t at, const source_part& part) { return at < part.start; });
    return after == parts_.begin() ? std::string{} : std::prev(after)->name;
  }

  digest_table table_;
  std::vector<source_part> parts_;
};

}  // namespace tidemark::detail
#endif
