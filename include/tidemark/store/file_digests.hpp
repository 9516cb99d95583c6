// SPDX-License-Identifier: BSL-1.0
// store/file_digests.hpp: the digests of an opened file, and the error where a block does not match (floor: store).
#ifndef TIDEMARK_STORE_FILE_DIGESTS_HPP
#define TIDEMARK_STORE_FILE_DIGESTS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/store/source_ref.hpp>

#include <cstdint>
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
  void require(const tensor_info& tensor, std::size_t at, std::uint64_t block, const digest128& found) const;

 private:
  /// Empty where there is but one.
  std::string file_of(const tensor_info& tensor) const;

  digest_table table_;
  std::vector<source_part> parts_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/file_digests.ipp>
#endif
#endif
