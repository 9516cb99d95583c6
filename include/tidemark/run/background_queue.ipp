// SPDX-License-Identifier: BSL-1.0
// run/background_queue.ipp: the definitions of background_queue.hpp (floor: run).
#ifndef TIDEMARK_RUN_BACKGROUND_QUEUE_IPP
#define TIDEMARK_RUN_BACKGROUND_QUEUE_IPP

#include <tidemark/run/background_queue.hpp>

#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE background_queue::~background_queue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

TIDEMARK_DETAIL_INLINE bool background_queue::has_room() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size() < room_;
}

TIDEMARK_DETAIL_INLINE void background_queue::wait_for_room() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.size() < room_; });
}

TIDEMARK_DETAIL_INLINE void background_queue::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty(); });
}

TIDEMARK_DETAIL_INLINE void background_queue::push(std::function<void()> job) {
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

TIDEMARK_DETAIL_INLINE void background_queue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !jobs_.empty() || ends_; });
    if (jobs_.empty()) return;
    const auto& job = jobs_.front();  // stays in the queue, and counts, while it runs; others that are pushed leave it in its place
    lock.unlock();
    job();
    lock.lock();
    jobs_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace tidemark::detail
#endif
