// SPDX-License-Identifier: BSL-1.0
// store/source_ref.ipp: the definitions of source_ref.hpp (floor: store).
#ifndef TIDEMARK_STORE_SOURCE_REF_IPP
#define TIDEMARK_STORE_SOURCE_REF_IPP

#include <tidemark/store/source_ref.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const std::vector<source_part>& source_ref::parts() const noexcept {
  static const std::vector<source_part> none;
  return parts_ != nullptr ? *parts_ : none;
}

TIDEMARK_DETAIL_INLINE bytes_view source_ref::bytes(std::uint64_t offset, std::uint64_t count) const noexcept {
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

}  // namespace tidemark::detail
#endif
