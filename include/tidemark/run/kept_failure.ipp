// SPDX-License-Identifier: BSL-1.0
// run/kept_failure.ipp: the definitions of kept_failure.hpp (floor: run).
#ifndef TIDEMARK_RUN_KEPT_FAILURE_IPP
#define TIDEMARK_RUN_KEPT_FAILURE_IPP

#include <tidemark/run/kept_failure.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void kept_failure::keep(std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& e) {
    if (e.code() == errc::cancelled) return;
  } catch (...) {
  }
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

TIDEMARK_DETAIL_INLINE void kept_failure::rethrow() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    failure = std::exchange(failure_, nullptr);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tidemark::detail
#endif
