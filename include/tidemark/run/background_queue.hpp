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

namespace tidemark::detail {

/// The thread is started by the first job. Jobs throw nothing. Destruction waits for all of them.
class background_queue {
 public:
  explicit background_queue(std::size_t room) : room_(room) {}
  background_queue(const background_queue&) = delete;
  background_queue& operator=(const background_queue&) = delete;
  ~background_queue();

  bool has_room() const;
  void wait_for_room() const;
  /// Until every job has ended.
  void wait() const;

  /// Only where there is room. Throws `std::system_error` where no thread can be started; the job is not kept then.
  void push(std::function<void()> job);

 private:
  void work();

  std::size_t room_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/background_queue.ipp>
#endif
#endif
