// SPDX-License-Identifier: BSL-1.0
// sink/stop_signals.ipp: the definitions of stop_signals.hpp (floor: sink).
#ifndef TIDEMARK_SINK_STOP_SIGNALS_IPP
#define TIDEMARK_SINK_STOP_SIGNALS_IPP

#include <tidemark/sink/stop_signals.hpp>

#include <tidemark/core/linkage.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE stop_state& the_stop_state() noexcept {
  static constinit stop_state state;  // needs no initialisation, so that a handler may ask for it
  return state;
}

TIDEMARK_DETAIL_INLINE void handle_stop_signal(int number, siginfo_t* info, void* context) {
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

TIDEMARK_DETAIL_INLINE bool is_our_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &handle_stop_signal;
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE bool stop_requested() noexcept { return detail::the_stop_state().first.load(std::memory_order_relaxed) != 0; }

TIDEMARK_DETAIL_INLINE int stop_signal() noexcept { return detail::the_stop_state().first.load(std::memory_order_relaxed); }

TIDEMARK_DETAIL_INLINE stop_signals& stop_signals::operator=(stop_signals&& other) noexcept {
  if (this != &other) {
    release();
    caught_ = std::exchange(other.caught_, {});
  }
  return *this;
}

TIDEMARK_DETAIL_INLINE void stop_signals::release() noexcept {
  const guard hold;
  for (int number = 1; number < detail::signal_numbers; ++number) {
    if (std::exchange(caught_[static_cast<std::size_t>(number)], false)) give_back(number);
  }
}

TIDEMARK_DETAIL_INLINE stop_signals::guard::guard() noexcept {
  while (state().is_changing.test_and_set(std::memory_order_acquire)) {
  }
}

TIDEMARK_DETAIL_INLINE bool stop_signals::is_any_caught() noexcept {
  for (const auto& count : state().catchers) {
    if (count.load() != 0) return true;
  }
  return false;
}

TIDEMARK_DETAIL_INLINE int stop_signals::take(int number) noexcept {
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

TIDEMARK_DETAIL_INLINE void stop_signals::give_back(int number) noexcept {
  const auto at = static_cast<std::size_t>(number);
  if (--state().catchers[at] != 0) return;
  struct sigaction now {};
  if (::sigaction(number, nullptr, &now) == 0 && detail::is_our_handler(now)) ::sigaction(number, &state().earlier[at], nullptr);
}

TIDEMARK_DETAIL_INLINE stop_signals catch_stop_signals(std::initializer_list<int> numbers) {
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
