// SPDX-License-Identifier: BSL-1.0
// run/kept_failure.hpp: the first error of the background that nobody has been told of yet (floor: run).
#ifndef TIDEMARK_RUN_KEPT_FAILURE_HPP
#define TIDEMARK_RUN_KEPT_FAILURE_HPP

#include <tidemark/core/error.hpp>

#include <exception>
#include <mutex>
#include <utility>

namespace tidemark::detail {

/// May be used by several threads.
class kept_failure {
 public:
  /// For the next `rethrow`. That something was cancelled is what the program asked for.
  void keep(std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const error& e) {
      if (e.code() == errc::cancelled) return;
    } catch (...) {
    }
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  /// Once.
  void rethrow() {
    std::exception_ptr failure;
    {
      const std::lock_guard lock(mutex_);
      failure = std::exchange(failure_, nullptr);
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace tidemark::detail
#endif
