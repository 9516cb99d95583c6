// SPDX-License-Identifier: BSL-1.0
// sink/stop_signals.hpp: a flag that SIGTERM and its like set, for programs that ask for it, to save and end in good order (floor: sink).
#ifndef TIDEMARK_SINK_STOP_SIGNALS_HPP
#define TIDEMARK_SINK_STOP_SIGNALS_HPP

#include <tidemark/core/error.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace tidemark {
namespace detail {

inline constexpr int signal_numbers = 65;  // Linux has 1 to 64

/// One of a process, because signals belong to processes. The handler reads it: what it reads is written before it is installed.
struct stop_state {
  static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
  std::atomic<int> first{0};                                              ///< the signal that asked to stop
  std::array<std::atomic<std::uint32_t>, signal_numbers> catchers{};      ///< how many of `stop_signals` hold it
  std::array<struct sigaction, signal_numbers> earlier{};                 ///< what was installed before us
  std::atomic_flag is_changing = ATOMIC_FLAG_INIT;                        ///< guards `catchers` and `earlier` against other threads
};

inline stop_state& the_stop_state() noexcept {
  static constinit stop_state state;  // needs no initialisation, so that a handler may ask for it
  return state;
}

/// Only calls that are safe in a handler: atomics, sigaction, raise.
inline void handle_stop_signal(int number, siginfo_t* info, void* context) {
  const int kept = errno;
  stop_state& state = the_stop_state();
  const struct sigaction& earlier = state.earlier[static_cast<std::size_t>(number)];
  int none = 0;
  const bool is_caught = state.catchers[static_cast<std::size_t>(number)].load() != 0;  // else somebody chains to us who came later
  if (is_caught && !state.first.compare_exchange_strong(none, number)) {
    ::sigaction(number, &earlier, nullptr);
    ::raise(number);  // arrives when this handler has returned
  } else if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    if (earlier.sa_sigaction != nullptr) earlier.sa_sigaction(number, info, context);
  } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(number);
  }
  errno = kept;
}

inline bool is_our_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &handle_stop_signal;
}

}  // namespace detail

/// Whether one of the caught signals has come. Constant time, from any thread and any handler; false where nobody has asked to catch them.
inline bool stop_requested() noexcept { return detail::the_stop_state().first.load(std::memory_order_relaxed) != 0; }

/// The first signal that came, 0 before: `128 + stop_signal()` is what a shell takes for the exit status of a program that it ended.
inline int stop_signal() noexcept { return detail::the_stop_state().first.load(std::memory_order_relaxed); }

/// Catches signals while it lives: see `catch_stop_signals`. Move-only.
class stop_signals {
 public:
  stop_signals(stop_signals&& other) noexcept : caught_(std::exchange(other.caught_, {})) {}
  stop_signals& operator=(stop_signals&& other) noexcept {
    if (this != &other) {
      release();
      caught_ = std::exchange(other.caught_, {});
    }
    return *this;
  }
  ~stop_signals() { release(); }

  /// Gives the signals back: what was installed before us is installed again, unless somebody has replaced us since.
  void release() noexcept {
    const guard hold;
    for (int number = 1; number < detail::signal_numbers; ++number) {
      if (std::exchange(caught_[static_cast<std::size_t>(number)], false)) give_back(number);
    }
  }

 private:
  friend stop_signals catch_stop_signals(std::initializer_list<int> numbers);

  struct guard {
    guard() noexcept {
      while (state().is_changing.test_and_set(std::memory_order_acquire)) {
      }
    }
    guard(const guard&) = delete;
    ~guard() { state().is_changing.clear(std::memory_order_release); }
  };

  stop_signals() = default;

  static detail::stop_state& state() noexcept { return detail::the_stop_state(); }

  static bool is_any_caught() noexcept {
    for (const auto& count : state().catchers) {
      if (count.load() != 0) return true;
    }
    return false;
  }

  /// Returns errno, or 0.
  int take(int number) noexcept {
    const auto at = static_cast<std::size_t>(number);
    if (caught_[at]) return 0;
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) < 0) return errno;
    // Who started us wants it ignored: nohup, or a shell that put us in the background.
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN) return 0;
    if (!detail::is_our_handler(now)) {
      struct sigaction ours {};
      ours.sa_sigaction = &detail::handle_stop_signal;
      ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;  // SA_RESTART: no read or write of the program fails for it
      ::sigemptyset(&ours.sa_mask);
      state().earlier[at] = now;
      if (::sigaction(number, &ours, nullptr) < 0) return errno;
    }
    caught_[at] = true;
    ++state().catchers[at];
    return 0;
  }

  static void give_back(int number) noexcept {
    const auto at = static_cast<std::size_t>(number);
    if (--state().catchers[at] != 0) return;
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && detail::is_our_handler(now)) ::sigaction(number, &state().earlier[at], nullptr);
  }

  std::array<bool, detail::signal_numbers> caught_{};
};

/// From now on, and as long as the returned value lives, each of these signals makes `stop_requested()` true instead of ending the process.
///
///     const auto signals = tidemark::catch_stop_signals();      // in main; the checkpointer's tick then says when to stop
///
/// The next signal, of them, stops at once: the earlier disposition is restored and the signal raised again, so that the default kills. A
/// sender that signals a process and then its group may count as two. A handler that was installed before runs too, after the flag is
/// set. An ignored signal stays ignored. Nothing is caught that nobody asked for. Several may live at once; the flag is cleared when the
/// first of them is made. Throws `error` (`invalid_value`), and changes nothing, for what cannot be caught.
[[nodiscard]] inline stop_signals catch_stop_signals(std::initializer_list<int> numbers = {SIGTERM, SIGINT, SIGUSR1}) {
  const auto refuse = [](int number, int system) {
    throw error({.code = errc::invalid_value,
                 .action = "catch signals",
                 .problem = "signal " + std::to_string(number) + " cannot be caught",
                 .expected = "SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGHUP or the like",
                 .system = system});
  };
  for (const int number : numbers) {
    if (number < 1 || number >= detail::signal_numbers) refuse(number, EINVAL);
  }
  stop_signals result;
  int failed = 0, why = 0;
  {
    const stop_signals::guard hold;
    if (!stop_signals::is_any_caught()) detail::the_stop_state().first = 0;
    for (const int number : numbers) {
      if (failed == 0 && (why = result.take(number)) != 0) failed = number;
    }
  }
  if (failed != 0) refuse(failed, why);
  return result;
}

}  // namespace tidemark
#endif
