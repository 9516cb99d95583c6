// SPDX-License-Identifier: BSL-1.0
// run/kept_failure.hpp: the first error of the background that nobody has been told of yet (floor: run).
#ifndef TIDEMARK_RUN_KEPT_FAILURE_HPP
#define TIDEMARK_RUN_KEPT_FAILURE_HPP

#include <exception>
#include <mutex>

namespace tidemark::detail {

/// May be used by several threads.
class kept_failure {
 public:
  /// For the next `rethrow`. That something was cancelled is what the program asked for.
  void keep(std::exception_ptr failure);

  /// Once.
  void rethrow();

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/kept_failure.ipp>
#endif
#endif
