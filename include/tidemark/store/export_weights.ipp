// SPDX-License-Identifier: BSL-1.0
// store/export_weights.ipp: the definitions of export_weights.hpp (floor: store).
#ifndef TIDEMARK_STORE_EXPORT_WEIGHTS_IPP
#define TIDEMARK_STORE_EXPORT_WEIGHTS_IPP

#include <tidemark/store/export_weights.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE metadata_list export_metadata(const metadata_list& extra) {
  metadata_list all = full_metadata({}, extra);  // checks the caller's entries
  std::erase_if(all, [](const auto& entry) { return entry.first == identity_key; });
  return all;
}

}  // namespace tidemark::detail
#endif
