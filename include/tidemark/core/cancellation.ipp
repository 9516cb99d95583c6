// SPDX-License-Identifier: BSL-1.0
// core/cancellation.ipp: the definitions of cancellation.hpp (floor: core).
#ifndef TIDEMARK_CORE_CANCELLATION_IPP
#define TIDEMARK_CORE_CANCELLATION_IPP

#include <tidemark/core/cancellation.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE void cancellation::check() const {
  if (requested()) throw error({.code = errc::cancelled, .problem = "a stop was requested", .advice = "What was there before is whole."});
}

}  // namespace tidemark
#endif
