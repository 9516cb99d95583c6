// SPDX-License-Identifier: BSL-1.0
// sink/counting.ipp: the definitions of counting.hpp (floor: sink).
#ifndef TIDEMARK_SINK_COUNTING_IPP
#define TIDEMARK_SINK_COUNTING_IPP

#include <tidemark/sink/counting.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE sink_counts::sink_counts() : shared_(std::make_shared<totals>()) {}

TIDEMARK_DETAIL_INLINE double sink_counts::seconds() const noexcept {
  return std::chrono::duration<double>(std::chrono::nanoseconds(shared_->nanoseconds)).count();
}

TIDEMARK_DETAIL_INLINE sink_counts::stopwatch::stopwatch(const sink_counts& counts) noexcept : counts_(counts), start_(std::chrono::steady_clock::now()) {}

TIDEMARK_DETAIL_INLINE sink_counts::stopwatch::~stopwatch() {
  counts_.shared_->nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace tidemark
#endif
