// SPDX-License-Identifier: BSL-1.0
// archive/common_types.ipp: the definitions of common_types.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_COMMON_TYPES_IPP
#define TIDEMARK_ARCHIVE_COMMON_TYPES_IPP

#include <tidemark/archive/common_types.hpp>

namespace tidemark::detail {

#ifdef TIDEMARK_COMPILED
TIDEMARK_DETAIL_COMMON_WALKS()
#endif

}  // namespace tidemark::detail
#endif
