// SPDX-License-Identifier: BSL-1.0
// sink/stop_signals.hpp: a flag that SIGTERM and its like set, for programs that ask for it, to save and end in good order (floor: sink).
#ifndef TIDEMARK_SINK_STOP_SIGNALS_HPP
#define TIDEMARK_SINK_STOP_SIGNALS_HPP

#include <tidemark/core/error.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <initializer_list>
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

stop_state& the_stop_state() noexcept;

/// Only calls that are safe in a handler: atomics, sigaction, raise.
void handle_stop_signal(int number, siginfo_t* info, void* context);

bool is_our_handler(const struct sigaction& action) noexcept;

}  // namespace detail

/// Whether one of the caught signals has come. Constant time, from any thread and any handler; false where nobody has asked to catch them.
bool stop_requested() noexcept;

/// The first signal that came, 0 before: `128 + stop_signal()` is what a shell takes for the exit status of a program that it ended.
int stop_signal() noexcept;

/// Catches signals while it lives: see `catch_stop_signals`. Move-only.
class stop_signals {
 public:
  stop_signals(stop_signals&& other) noexcept : caught_(std::exchange(other.caught_, {})) {}
  stop_signals& operator=(stop_signals&& other) noexcept;
  ~stop_signals() { release(); }

  /// Gives the signals back: what was installed before us is installed again, unless somebody has replaced us since.
  void release() noexcept;

 private:
  friend stop_signals catch_stop_signals(std::initializer_list<int> numbers);

  struct guard {
    guard() noexcept;
    guard(const guard&) = delete;
    ~guard() { state().is_changing.clear(std::memory_order_release); }
  };

  stop_signals() = default;

  static detail::stop_state& state() noexcept { return detail::the_stop_state(); }

  static bool is_any_caught() noexcept;

  /// Returns errno, or 0.
  int take(int number) noexcept;

  static void give_back(int number) noexcept;

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
[[nodiscard]] stop_signals catch_stop_signals(std::initializer_list<int> numbers = {SIGTERM, SIGINT, SIGUSR1});

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/stop_signals.ipp>
#endif
#endif
