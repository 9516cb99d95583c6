// SPDX-License-Identifier: BSL-1.0
// store/task_threads.hpp: numbered tasks done by a few threads, the first failure passed on (floor: store).
#ifndef TIDEMARK_STORE_TASK_THREADS_HPP
#define TIDEMARK_STORE_TASK_THREADS_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tidemark::detail {

/// How many threads work where the caller asked for `wanted`: 0 is as many as there are cores, at most 4.
inline unsigned threads_or_default(unsigned wanted) { return wanted != 0 ? wanted : (std::max)(1u, (std::min)(4u, std::thread::hardware_concurrency())); }

class task_threads {
 public:
  /// Calls `work(next)` on `threads` threads, the caller's among them; `next()` gives each task from 0 up to `tasks` once, then `tasks`.
  /// Returns when all have ended; rethrows the first exception, after which no task is begun.
  template <class Work>
  void run(std::size_t tasks, unsigned threads, Work&& work) {
    next_ = 0;
    const auto next = [this, tasks] { return has_failed_ ? tasks : (std::min)(tasks, next_.fetch_add(1)); };
    const auto guarded = [&]() noexcept {
      try {
        work(next);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        has_failed_ = true;
      }
    };
    std::vector<std::thread> helpers;
    {
      struct join_all {
        std::vector<std::thread>& threads;
        ~join_all() { for (auto& t : threads) t.join(); }
      } joined{helpers};
      try {
        for (std::size_t i = 1; i < (std::min<std::size_t>)(threads, tasks); ++i) helpers.emplace_back(guarded);
      } catch (const std::system_error&) {
        // No more threads to be had: those there are do the work.
      }
      guarded();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  /// For a task that takes long, to end early.
  bool has_failed() const noexcept { return has_failed_; }

 private:
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace tidemark::detail
#endif
