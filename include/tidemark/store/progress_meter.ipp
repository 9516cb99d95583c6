// SPDX-License-Identifier: BSL-1.0
// store/progress_meter.ipp: the definitions of progress_meter.hpp (floor: store).
#ifndef TIDEMARK_STORE_PROGRESS_METER_IPP
#define TIDEMARK_STORE_PROGRESS_METER_IPP

#include <tidemark/store/progress_meter.hpp>

#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void progress_meter::add(std::uint64_t bytes) {
  if (!callback_) return;
  const std::lock_guard lock(mutex_);
  done_ += bytes;
  if (done_ - told_ >= step || done_ == total_) tell();
}

TIDEMARK_DETAIL_INLINE void progress_meter::finish() {
  if (!callback_) return;
  const std::lock_guard lock(mutex_);
  done_ = total_;
  if (!std::exchange(is_finished_, true) && (told_ != total_ || total_ == 0)) tell();
}

TIDEMARK_DETAIL_INLINE void progress_meter::tell() {
  told_ = done_;
  callback_({done_, total_});
}

}  // namespace tidemark::detail
#endif
