// SPDX-License-Identifier: BSL-1.0
// run/background_queue.hpp: saves one after the other, few at a time.
#include <tidemark/run/background_queue.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

using tidemark::detail::background_queue;

TEST_CASE("jobs run one after the other, in order, in another thread") {
  std::vector<int> done;
  std::thread::id where;
  {
    background_queue queue(2);
    for (int i = 0; i < 50; ++i) {
      queue.wait_for_room();
      queue.push([&, i] {
        done.push_back(i);
        where = std::this_thread::get_id();
      });
    }
    queue.wait();
    CHECK(done.size() == 50);
  }
  for (int i = 0; i < 50; ++i) CHECK(done[static_cast<std::size_t>(i)] == i);
  CHECK(where != std::this_thread::get_id());
}

TEST_CASE("a job counts until it has ended, and room is given when it has") {
  std::promise<void> gate;
  auto opened = gate.get_future().share();
  std::atomic<int> ended = 0;
  background_queue queue(2);
  CHECK(queue.has_room());
  queue.push([&, opened] { opened.wait(); ++ended; });
  CHECK(queue.has_room());
  queue.push([&] { ++ended; });
  CHECK(!queue.has_room());
  gate.set_value();
  queue.wait_for_room();
  CHECK(ended >= 1);
  queue.wait();
  CHECK(ended == 2);
  CHECK(queue.has_room());
}

TEST_CASE("destruction waits for what was given, and waiting for nothing returns") {
  std::atomic<int> ended = 0;
  {
    background_queue queue(1);
    queue.wait();
    queue.wait_for_room();
    for (int i = 0; i < 3; ++i) {
      queue.wait_for_room();
      queue.push([&] { std::this_thread::yield(); ++ended; });
    }
  }
  CHECK(ended == 3);
  const background_queue never_used(2);
  CHECK(never_used.has_room());
}
