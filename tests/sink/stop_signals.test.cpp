// SPDX-License-Identifier: BSL-1.0
// tests/sink/stop_signals.test.cpp: the first signal asks to stop, the second stops; handlers of others and ignored signals stay theirs.
#include <tidemark/sink/stop_signals.hpp>

#include <doctest/doctest.h>
#include "child.hpp"
#include "sanitizers.hpp"
#include "scratch.hpp"

#include <atomic>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace tidemark;

static_assert(!std::is_copy_constructible_v<stop_signals> && std::is_nothrow_move_constructible_v<stop_signals>);

namespace {

const std::vector<int> usual{SIGTERM, SIGINT, SIGUSR1};
const std::vector<int> others{SIGHUP, SIGUSR2, SIGALRM, SIGQUIT, SIGXCPU, 34, 64};

void reset() {
  for (int number = 1; number < 65; ++number) ::signal(number, SIG_DFL);  // doctest has handlers of its own
}

/// How a process ends that runs `body` with the dispositions of a fresh one.
template <class Body>
std::string in_process(Body body) {
  return child::outcome_of([&] {
    reset();
    return body();
  });
}

bool is_default(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
}

std::atomic<int> called{0};
std::atomic<long> sender{0};
void plain_handler(int number) { called = called * 100 + number; }
void info_handler(int number, siginfo_t* info, void* context) {
  called = called * 100 + number;
  sender = context == nullptr ? -1 : info->si_pid;
}

}  // namespace

TEST_CASE("each signal sets the flag, once and for all, and the program goes on") {
  for (const int number : usual) {
    CHECK(in_process([&] {
            if (stop_requested() || stop_signal() != 0) return 1;
            const auto signals = catch_stop_signals();
            if (stop_requested()) return 2;
            ::raise(number);
            if (!stop_requested() || stop_signal() != number) return 3;
            return 0;
          }) == "exit 0");
  }
  for (const int number : others) {
    CHECK(in_process([&] {
            const auto signals = catch_stop_signals({number});
            ::raise(number);
            return stop_signal() == number ? 0 : 1;
          }) == "exit 0");
  }
}

TEST_CASE("nothing is caught unasked, and not more than was asked for") {
  for (const int number : usual) {
    CHECK(in_process([&] { return static_cast<void>(stop_requested()), ::raise(number), 0; }) == "signal " + std::to_string(number));
    CHECK(in_process([&] {
            const auto signals = catch_stop_signals({SIGHUP});
            return ::raise(number), 0;
          }) == "signal " + std::to_string(number));
  }
}

TEST_CASE("a second signal, the same or another, ends the process at once with its own default") {
  for (const int first : usual) {
    for (const int second : usual) {
      CHECK(in_process([&] {
              const auto signals = catch_stop_signals();
              ::raise(first);
              if (stop_signal() != first) return 1;
              ::raise(second);
              return 2;
            }) == "signal " + std::to_string(second));
      CHECK(in_process([&] {  // also from outside, while the program waits
              const auto signals = catch_stop_signals();
              ::kill(::getpid(), first);
              ::kill(::getpid(), second);
              for (;;) ::pause();
              return 2;
            }).starts_with("signal "));
    }
  }
}

TEST_CASE("a handler that was there before runs too, once, with what the system tells it; a second signal is its alone") {
  for (const bool wants_info : {false, true}) {
    for (const int number : usual) {
      CHECK(in_process([&] {
              struct sigaction mine {};
              if (wants_info) {
                mine.sa_sigaction = info_handler;
                mine.sa_flags = SA_SIGINFO;
              } else {
                mine.sa_handler = plain_handler;
              }
              ::sigaction(number, &mine, nullptr);
              const auto signals = catch_stop_signals();
              ::kill(::getpid(), number);
              if (called != number || !stop_requested()) return 1;
              if (wants_info && sender != ::getpid()) return 2;
              ::kill(::getpid(), number);
              if (called != number * 100 + number) return 3;
              struct sigaction now {};
              ::sigaction(number, nullptr, &now);
              return !detail::is_our_handler(now) ? 0 : 4;
            }) == "exit 0");
    }
  }
}

TEST_CASE("an ignored signal stays ignored, as under nohup; the others are caught") {
  for (const int ignored : usual) {
    CHECK(in_process([&] {
            ::signal(ignored, SIG_IGN);
            {
              const auto signals = catch_stop_signals();
              for (int i = 0; i < 3; ++i) ::raise(ignored);
              if (stop_requested()) return 1;
              const int other = ignored == SIGTERM ? SIGINT : SIGTERM;
              ::raise(other);
              if (stop_signal() != other) return 2;
              for (int i = 0; i < 3; ++i) ::raise(ignored);
            }
            for (int i = 0; i < 3; ++i) ::raise(ignored);
            return 0;
          }) == "exit 0");
  }
}

TEST_CASE("at the end the earlier dispositions are back, unless somebody has replaced ours") {
  CHECK(in_process([] {
          ::signal(SIGINT, plain_handler);
          { const auto signals = catch_stop_signals(); }
          for (const int number : {SIGTERM, SIGUSR1}) {
            if (!is_default(number)) return 1;
          }
          ::raise(SIGINT);
          if (called != SIGINT || stop_requested()) return 2;
          {
            const auto signals = catch_stop_signals();
            ::signal(SIGTERM, plain_handler);
          }
          called = 0;
          ::raise(SIGTERM);
          return called == SIGTERM ? 0 : 3;
        }) == "exit 0");
}

TEST_CASE("one who came later and chains to us after our end reaches the handler before us, and sets nothing") {
  static struct sigaction ours;
  static auto chained = +[](int number, siginfo_t* info, void* context) { ours.sa_sigaction(number, info, context); };
  CHECK(in_process([] {
          ::signal(SIGTERM, plain_handler);
          {
            const auto signals = catch_stop_signals();
            struct sigaction later {};
            later.sa_sigaction = chained;
            later.sa_flags = SA_SIGINFO;
            ::sigaction(SIGTERM, &later, &ours);
            if (!detail::is_our_handler(ours)) return 1;
            ::raise(SIGTERM);
            if (called != SIGTERM || !stop_requested()) return 2;
          }
          called = 0;
          ::raise(SIGTERM);
          ::raise(SIGTERM);
          return called == SIGTERM * 100 + SIGTERM ? 0 : 3;
        }) == "exit 0");
}

TEST_CASE("several may catch at once; the last one gives back, and the first of the next round clears the flag") {
  CHECK(in_process([] {
          auto first = catch_stop_signals();
          {
            const auto second = catch_stop_signals({SIGTERM, SIGHUP, SIGTERM});
            ::raise(SIGHUP);
          }
          if (!is_default(SIGHUP) || is_default(SIGTERM)) return 1;
          const auto third = catch_stop_signals({SIGINT});
          if (stop_signal() != SIGHUP) return 2;  // still asked to stop
          auto moved = std::move(first);
          first.release();
          if (is_default(SIGTERM)) return 3;
          moved = catch_stop_signals({SIGUSR2});
          if (!is_default(SIGTERM) || is_default(SIGINT) || is_default(SIGUSR2)) return 4;
          return 0;
        }) == "exit 0");
  CHECK(in_process([] {
          {
            const auto signals = catch_stop_signals();
            ::raise(SIGTERM);
          }
          if (!stop_requested()) return 1;  // what happened stays known
          const auto signals = catch_stop_signals();
          if (stop_requested()) return 2;
          ::raise(SIGTERM);
          return stop_requested() ? 0 : 3;
        }) == "exit 0");
}

TEST_CASE("every thread sees the flag; calls that wait are not interrupted, and errno is kept") {
  CHECK(in_process([] {
          const auto signals = catch_stop_signals();
          int ends[2];
          if (::pipe(ends) != 0) return 1;
          ssize_t got = 0;
          std::thread reader([&] {
            char c;
            got = ::read(ends[0], &c, 1);
          });
          std::vector<std::thread> workers;
          for (int i = 0; i < 4; ++i) {
            workers.emplace_back([] {
              while (!stop_requested()) std::this_thread::yield();
            });
          }
          ::usleep(20'000);
          // The thread sanitizer of g++ 12 holds a signal back as long as its thread reads.
          ::pthread_kill(scratch::watches_threads ? ::pthread_self() : reader.native_handle(), SIGTERM);
          for (auto& w : workers) w.join();
          ::usleep(20'000);
          if (::write(ends[1], "x", 1) != 1) return 2;
          reader.join();
          if (got != 1) return 3;
          return 0;
        }) == "exit 0");
  CHECK(in_process([] {
          ::signal(SIGTERM, [](int) { errno = EIO; });
          const auto signals = catch_stop_signals();
          errno = EDOM;
          ::raise(SIGTERM);
          return errno == EDOM ? 0 : 1;
        }) == "exit 0");
}

TEST_CASE("threads may catch and release at once") {
  CHECK(in_process([] {
          std::vector<std::thread> threads;
          for (int i = 0; i < 4; ++i) {
            threads.emplace_back([] {
              for (int n = 0; n < 500; ++n) const auto signals = catch_stop_signals();
            });
          }
          for (auto& t : threads) t.join();
          return is_default(SIGTERM) && is_default(SIGINT) && is_default(SIGUSR1) ? 0 : 1;
        }) == "exit 0");
}

TEST_CASE("a forked child has the handlers of its parent, a program that it starts has not") {
  CHECK(in_process([] {
          const auto signals = catch_stop_signals();
          const std::string inherits = child::outcome_of([] { return ::raise(SIGTERM), stop_requested() ? 0 : 1; });
          if (inherits != "exit 0" || stop_requested()) return 1;
          const std::string starts = child::outcome_of([] { return ::execl("/bin/sh", "sh", "-c", "kill -TERM $$; exit 7", nullptr); });
          return starts == "signal 15" ? 0 : 2;
        }) == "exit 0");
}

TEST_CASE("what cannot be caught is refused with its number, and the others are not caught either") {
  for (const int number : {SIGKILL, SIGSTOP, 0, -1, 65, 1000}) {
    CHECK(in_process([&] {
            const auto failure = scratch::failure_of([&] { static_cast<void>(catch_stop_signals({SIGTERM, number, SIGINT})); });
            if (!failure || failure->code() != errc::invalid_value) return 1;
            if (std::string(failure->what()).find("signal " + std::to_string(number) + " cannot") == std::string::npos) return 2;
            return is_default(SIGTERM) && is_default(SIGINT) ? 0 : 3;
          }) == "exit 0");
  }
  CHECK(in_process([] {
          const auto none = catch_stop_signals({});
          return is_default(SIGTERM) ? 0 : 1;
        }) == "exit 0");
}
