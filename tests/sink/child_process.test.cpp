// SPDX-License-Identifier: BSL-1.0
// sink/child_process.hpp: a forked child's answer, and what is said of one that has none.
#include <tidemark/sink/child_process.hpp>

#include <doctest/doctest.h>
#include <sink/child.hpp>
#include <sink/scratch.hpp>

#include <csignal>
#include <string>

#include <unistd.h>

using tidemark::detail::child_process;

namespace {

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

TEST_CASE("a child's answer of any length arrives whole, and no zombie stays") {
  const std::size_t before = scratch::open_descriptors();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{65536}, std::size_t{300000}}) {
    const std::string text = scratch::pattern(size);
    auto child = child_process::start([&] { return text; });
    CHECK(child.id() > 0);
    CHECK(child.answer() == text);
    CHECK(!has_children());
  }
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("a child sees the memory as it was, and changes none of ours") {
  int value = 1;
  auto child = child_process::start([&] {
    const std::string seen = std::to_string(value);
    value = 3;
    return seen;
  });
  value = 2;
  CHECK(child.answer() == "1");
  CHECK(value == 2);
}

TEST_CASE("a child that dies is an error that says of what") {
  for (const int number : {SIGKILL, SIGABRT, SIGSEGV}) {
    auto child = child_process::start([&]() -> std::string {
      std::signal(number, SIG_DFL);
      ::kill(::getpid(), number);
      ::pause();
      return "";
    });
    const auto failure = scratch::failure_of([&] { child.answer(); });
    REQUIRE(failure);
    CHECK(failure->code() == tidemark::errc::io);
    CHECK(std::string(failure->what()).find("signal " + std::to_string(number)) != std::string::npos);
    CHECK((std::string(failure->what()).find("memory was full") != std::string::npos) == (number == SIGKILL));
    CHECK(!has_children());
  }
  auto child = child_process::start([]() -> std::string { ::_exit(7); });
  CHECK(std::string(scratch::failure_of([&] { child.answer(); })->what()).find("status 7") != std::string::npos);
}

TEST_CASE("signals that ask a run to end do not end the child, and reach the parent as before") {
  CHECK(child::outcome_of([] {
    sigset_t before, after;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
    auto child = child_process::start([] {
      for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) ::kill(::getpid(), number);
      sigset_t mask;
      ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
      return std::string(::sigismember(&mask, SIGTERM) ? "blocked" : "whole");
    });
    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    if (::sigismember(&after, SIGTERM) != ::sigismember(&before, SIGTERM)) return 2;
    return child.answer() == "whole" ? 0 : 1;
  }) == "exit 0");
  CHECK(child::outcome_of([] {
    std::signal(SIGTERM, SIG_DFL);
    auto child = child_process::start([] { return std::string(); });
    child.answer();
    ::raise(SIGTERM);
    return 0;
  }) == "signal 15");
}

TEST_CASE("a signal to the whole group the moment after the fork does not end the child") {
  for (int round = 0; round < 50; ++round) {
    REQUIRE(child::outcome_of([] {
      ::setpgid(0, 0);
      std::signal(SIGINT, SIG_IGN);
      sigset_t none;
      ::sigemptyset(&none);
      std::signal(SIGINT, [](int) {});
      auto child = child_process::start([] { return std::string("whole"); });
      ::kill(0, SIGINT);
      return child.answer() == "whole" ? 0 : 1;
    }) == "exit 0");
  }
}

TEST_CASE("a child that nobody asks is waited for, and one that the program has collected itself still answers") {
  { auto unasked = child_process::start([] { return std::string(100, 'x'); }); }
  CHECK(!has_children());
  CHECK(child::outcome_of([] {
    std::signal(SIGCHLD, SIG_IGN);  // the system keeps no status then
    auto child = child_process::start([] { return std::string("all"); });
    return child.answer() == "all" ? 0 : 1;
  }) == "exit 0");
}
