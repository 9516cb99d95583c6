// SPDX-License-Identifier: BSL-1.0
// sink/child_process.hpp: work done in a forked child, which sees the memory as it was, and its answer (floor: sink).
#ifndef TIDEMARK_SINK_CHILD_PROCESS_HPP
#define TIDEMARK_SINK_CHILD_PROCESS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/system_error.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>
#include <utility>

#include <poll.h>
#include <sys/wait.h>

namespace tidemark::detail {

/// A child of this process that ends with its work. Waited for when this dies.
class child_process {
 public:
  /// Forks; the child runs `work()`, a function that returns a string and throws nothing, sends that string and ends without running
  /// anything else of the program. It has this thread alone, and ignores the signals that ask a run to end: what it began it finishes.
  template <class Work>
  static child_process start(Work&& work) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) < 0) throw_errno(errno, {.problem = "no pipe to a child process could be made"});
    descriptor<file_ops> from(file_ops{}, ends[0]), to(file_ops{}, ends[1]);
    // Until the child ignores them, none of these may reach it: one sent to the whole group would end it half way.
    constexpr std::array ignored{SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE};
    sigset_t held, before;
    ::sigemptyset(&held);
    for (const int number : ignored) ::sigaddset(&held, number);
    ::pthread_sigmask(SIG_BLOCK, &held, &before);
    const pid_t id = ::fork();
    const int problem = errno;
    if (id == 0) {
      for (const int number : ignored) std::signal(number, SIG_IGN);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (id < 0) {
      throw_errno(problem, {.problem = "the process could not be forked", .advice = "Memory or processes are limited (ulimit -u, overcommit): save with background::staged."});
    }
    if (id == 0) {
      const std::string answer = work();
      bool is_sent = true;
      for (std::size_t done = 0; done < answer.size() && is_sent;) {
        const ssize_t taken = retry_interrupted([&] { return ::write(to.get(), answer.data() + done, answer.size() - done); });
        is_sent = taken > 0;
        done += is_sent ? static_cast<std::size_t>(taken) : 0;
      }
      ::_exit(is_sent ? 0 : 1);
    }
    return child_process(id, std::move(from));
  }

  child_process(child_process&& other) noexcept : id_(std::exchange(other.id_, -1)), from_(std::move(other.from_)) {}
  child_process& operator=(child_process&&) = delete;
  ~child_process() {
    if (id_ > 0) wait();
  }

  pid_t id() const noexcept { return id_; }

  /// Waits until the child answers or ends; kills it as soon as `is_wanted()`, asked now and then, says no.
  template <class Wanted>
  void watch(Wanted&& is_wanted) const {
    constexpr int milliseconds = 20;
    struct pollfd answer{from_.get(), POLLIN, 0};
    for (int wait = 0;; wait = milliseconds) {
      const int ready = ::poll(&answer, 1, wait);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
      if (is_wanted()) continue;
      ::kill(id_, SIGKILL);  // nobody else by that number: it has not closed its end
      return;
    }
  }

  /// Waits for the end of the child and returns what it sent. Throws `error` (io) where it died before that, saying of what.
  std::string answer();

 private:
  child_process(pid_t id, descriptor<file_ops>&& from) noexcept : id_(id), from_(std::move(from)) {}

  /// Where the program collects all its children itself (or ignores SIGCHLD) the status is gone: the answer then counts alone.
  int wait() noexcept;

  pid_t id_;
  descriptor<file_ops> from_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/child_process.ipp>
#endif
#endif
