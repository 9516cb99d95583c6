// SPDX-License-Identifier: BSL-1.0
// store/stopwatch.hpp: seconds since its beginning (floor: store).
#ifndef TIDEMARK_STORE_STOPWATCH_HPP
#define TIDEMARK_STORE_STOPWATCH_HPP

#include <chrono>

namespace tidemark::detail {

class stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tidemark::detail
#endif
