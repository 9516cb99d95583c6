// SPDX-License-Identifier: BSL-1.0
// sink/throttle.ipp: the definitions of throttle.hpp (floor: sink).
#ifndef TIDEMARK_SINK_THROTTLE_IPP
#define TIDEMARK_SINK_THROTTLE_IPP

#include <tidemark/sink/throttle.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <cmath>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE token_bucket::nanoseconds token_bucket::wait(std::size_t bytes, nanoseconds now) const noexcept {
  const double seconds = full_ + static_cast<double>(bytes) / rate_ - held_ - since_start(now);
  return nanoseconds(static_cast<nanoseconds::rep>(std::ceil((std::max)(0.0, seconds) * 1e9)));
}

}  // namespace tidemark::detail
#endif
