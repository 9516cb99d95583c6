// SPDX-License-Identifier: BSL-1.0
// format/digests.ipp: the definitions of digests.hpp (floor: format).
#ifndef TIDEMARK_FORMAT_DIGESTS_IPP
#define TIDEMARK_FORMAT_DIGESTS_IPP

#include <tidemark/format/digests.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void header_digester::text(std::string_view value) {
  number(value.size());
  append(bytes_of(value));
}

TIDEMARK_DETAIL_INLINE digest128 header_digester::finish() {
  hash_.update({buffer_, used_});
  return hash_.finish();
}

TIDEMARK_DETAIL_INLINE void header_digester::append(bytes_view bytes) {
  if (bytes.size() > sizeof buffer_ - used_) {
    hash_.update({buffer_, std::exchange(used_, 0)});
    if (bytes.size() > sizeof buffer_) return hash_.update(bytes);
  }
  std::memcpy(buffer_ + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

TIDEMARK_DETAIL_INLINE digest_table::digest_table(std::span<const tensor_info> tensors, std::span<const std::uint32_t> order) : first_(tensors.size()) {
  std::uint64_t next = 2;
  for (const std::uint32_t i : order) {
    first_[i] = next;
    next += blocks_of(tensors[i].bytes);
  }
  digests_.resize(static_cast<std::size_t>(next));
}

TIDEMARK_DETAIL_INLINE const digest128& digest_table::block(std::size_t tensor, std::uint64_t block) const noexcept {
  return digests_[static_cast<std::size_t>(first_[tensor] + block)];
}

}  // namespace tidemark::detail
#endif
