// SPDX-License-Identifier: BSL-1.0
// run/background_queue.hpp: a thread that does saves one after the other, with room for few at a time (floor: run).
#ifndef TIDEMARK_RUN_BACKGROUND_QUEUE_HPP
#define TIDEMARK_RUN_BACKGROUND_QUEUE_HPP

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace tidemark::detail {

/// The thread is started by the first job. Jobs throw nothing. Destruction waits for all of them.
class background_queue {
 public:
  explicit background_queue(std::size_t room) : room_(room) {}
  background_queue(const background_queue&) = delete;
  background_queue& operator=(const background_queue&) = delete;
  ~background_queue() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  bool has_room() const {
    const std::lock_guard lock(mutex_);
    return jobs_.size() < room_;
  }
  void wait_for_room() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.size() < room_; });
  }
  /// Until every job has ended.
  void wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.empty(); });
  }

  /// Only where there is room. Throws `std::system_error` where no thread can be started; the job is not kept then.
  void push(std::function<void()> job) {
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
  }

 private:
  void work() {
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

  std::size_t room_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace tidemark::detail
#endif
