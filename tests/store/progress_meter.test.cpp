// SPDX-License-Identifier: BSL-1.0
// store/progress_meter.test.cpp: progress is told in order, about once a MiB, and at the end.
#include <tidemark/store/progress_meter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

using namespace tidemark;

TEST_CASE("several threads add, one call at a time tells") {
  std::vector<std::uint64_t> told;
  const progress_callback callback = [&](const progress& p) { told.push_back(p.bytes_done); };
  detail::progress_meter meter(callback, 64 << 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] { for (int i = 0; i < 256; ++i) meter.add(64 << 10); });
  }
  for (auto& t : threads) t.join();
  meter.finish();
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.size() == 64);
  CHECK(told.back() == 64 << 20);
  const progress_callback none;
  detail::progress_meter silent(none, 5);
  silent.add(5);
  silent.finish();
}
