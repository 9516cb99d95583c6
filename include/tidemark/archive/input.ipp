// SPDX-License-Identifier: BSL-1.0
// archive/input.ipp: the definitions of input.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_INPUT_IPP
#define TIDEMARK_ARCHIVE_INPUT_IPP

#include <tidemark/archive/input.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <cstring>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const std::byte* input_stream::take(std::size_t n) {
  if (piece_.size() >= n) {
    const std::byte* at = piece_.data();
    piece_ = piece_.subspan(n);
    return at;
  }
  copy({carry_, n});
  return carry_;
}

TIDEMARK_DETAIL_INLINE void input_stream::copy(bytes_span to) {
  while (!to.empty()) {
    const bytes_view part = some(to.size());
    std::memcpy(to.data(), part.data(), part.size());
    to = to.subspan(part.size());
  }
}

TIDEMARK_DETAIL_INLINE void input_stream::skip(std::uint64_t n) {
  while (n != 0) n -= some(n).size();
}

TIDEMARK_DETAIL_INLINE bytes_view input_stream::some(std::uint64_t n) {
  if (piece_.empty()) {
    piece_ = next_(context_);
    left_ -= piece_.size();
  }
  const bytes_view part = piece_.first(static_cast<std::size_t>(std::min<std::uint64_t>(n, piece_.size())));
  piece_ = piece_.subspan(part.size());
  return part;
}

}  // namespace tidemark::detail
#endif
