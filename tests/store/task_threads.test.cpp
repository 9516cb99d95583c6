// SPDX-License-Identifier: BSL-1.0
// store/task_threads.test.cpp: each task once, on no more threads than asked for, and the first failure reaches the caller.
#include <tidemark/store/task_threads.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using tidemark::detail::task_threads;

TEST_CASE("every task is done once, whatever the number of threads") {
  for (const std::size_t tasks : {0u, 1u, 2u, 3u, 100u, 5000u}) {
    for (const unsigned threads : {0u, 1u, 2u, 7u, 64u}) {
      std::vector<std::atomic<int>> done(tasks);
      task_threads workers;
      workers.run(tasks, threads, [&](auto next) {
        for (std::size_t i; (i = next()) < tasks;) ++done[i];
      });
      for (const auto& d : done) REQUIRE(d == 1);
      CHECK_FALSE(workers.has_failed());
    }
  }
}

TEST_CASE("no more threads than asked for or than tasks, the caller's among them") {
  for (const auto& sizes : {std::pair{10u, 1u}, {10u, 3u}, {2u, 10u}, {1u, 10u}}) {
    const auto tasks = sizes.first, threads = sizes.second;
    std::mutex mutex;
    std::multiset<std::thread::id> seen;
    task_threads{}.run(tasks, threads, [&](auto next) {
      {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      }
      while (next() < tasks) {
      }
    });
    CHECK(seen.size() == (std::min)(tasks, threads));
    CHECK(seen.count(std::this_thread::get_id()) == 1);
  }
}

TEST_CASE("the first exception is rethrown when all threads have ended, and no task is begun after it") {
  for (const auto& [count, fails] : {std::pair{1u, true}, {2u, true}, {2u, false}, {4u, true}, {4u, false}}) {
    const unsigned threads = count;
    const bool are_failing = fails;
    std::atomic<int> running{0}, begun{0};
    task_threads workers;
    std::string what;
    try {
      workers.run(1000, threads, [&](auto next) {
        ++running;
        struct leave {
          std::atomic<int>& count;
          ~leave() { --count; }
        } const left{running};
        for (std::size_t i; (i = next()) < 1000;) {
          ++begun;
          if (i == 3) {
            while (threads > 1 && begun < 5) std::this_thread::yield();  // so that another task is under way
            throw std::runtime_error("task 3");
          }
          if (i < 3) continue;
          while (!workers.has_failed()) std::this_thread::yield();
          if (i % 2 == 0 && are_failing) throw std::runtime_error("a later one");
        }
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    CHECK(what == "task 3");
    CHECK(running == 0);
    CHECK(begun <= 4 + static_cast<int>(threads));
    CHECK(workers.has_failed());
  }
}

TEST_CASE("what is thrown may be of any type, in any thread") {
  for (const unsigned threads : {1u, 3u}) {
    const auto run = [&] {
      task_threads{}.run(3, threads, [](auto next) {
        while (next() < 3) throw 7;
      });
    };
    CHECK_THROWS_AS(run(), int);
  }
}

TEST_CASE("as many threads as asked for, or one to four of them") {
  for (const unsigned wanted : {1u, 2u, 4u, 5u, 1000u}) CHECK(tidemark::detail::threads_or_default(wanted) == wanted);
  CHECK(tidemark::detail::threads_or_default(0) >= 1);
  CHECK(tidemark::detail::threads_or_default(0) <= 4);
}
