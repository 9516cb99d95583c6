// SPDX-License-Identifier: BSL-1.0
// run/staged_state.hpp: a copy of what a save would write, in memory that is used again.
#include <tidemark/archive/encode.hpp>
#include <tidemark/run/staged_state.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace tidemark;
using detail::staged_state;

namespace {

struct row {
  std::uint32_t id = 1;
  std::string label = "cat";
};
struct state {
  std::vector<double> weights;
  std::vector<row> rows{{1, "a"}, {2, "bcd"}};
  std::string text = "abc";
  std::vector<bool> flags{true, false};
  std::uint8_t small = 3;
};

/// All bytes that a save would write, tensor by tensor.
std::string bytes_in(std::span<const detail::planned_tensor> tensors) {
  std::string all;
  for (const auto& t : tensors) {
    if (t.write == nullptr) {
      all.append(static_cast<const char*>(t.source), static_cast<std::size_t>(t.info.bytes));
      continue;
    }
    const auto take = [](void* to, detail::bytes_view made) { static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(made.data()), made.size()); };
    std::byte buffer[64];
    detail::output_stream out(buffer, take, &all);
    t.write(t.source, out);
    out.flush();
  }
  return all;
}

}  // namespace

TEST_CASE("a copy holds the bytes of the state as it was, for every size and number of threads") {
  staged_state copy;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{524'288}, std::size_t{524'289}, std::size_t{5'000'001}}) {
    for (const unsigned threads : {1u, 3u}) {
      state s{.weights = std::vector<double>(size)};
      for (std::size_t i = 0; i < size; ++i) s.weights[i] = static_cast<double>(i);
      const auto plan = detail::plan_of(s);
      const std::string expected = bytes_in(plan.tensors());
      copy.take(detail::plan_of(s), threads);
      for (auto& w : s.weights) w = -1;
      for (auto& r : s.rows) r = {9, "overwritten"};
      s.text = "zzz";
      CHECK((bytes_in(copy.tensors()) == expected));
      CHECK(copy.bytes() == expected.size());
      CHECK(copy.tensors().size() == plan.tensors().size());
      for (const auto& t : copy.tensors()) CHECK((t.write == nullptr));
    }
  }
}

TEST_CASE("memory is used again: it grows to the largest state, and stays there") {
  staged_state copy;
  CHECK(copy.capacity() == 0);
  copy.take(detail::plan_of(state{.weights = std::vector<double>(1000)}), 1);
  const auto first = copy.capacity();
  CHECK(first == copy.bytes());
  const void* const where = copy.tensors()[0].source;
  for (int i = 0; i < 10; ++i) {
    copy.take(detail::plan_of(state{.weights = std::vector<double>(i % 2 == 0 ? 10 : 1000)}), 1);
    CHECK(copy.capacity() == first);
    CHECK(copy.tensors()[0].source == where);
  }
  copy.take(detail::plan_of(state{.weights = std::vector<double>(2000)}), 1);
  CHECK(copy.capacity() == copy.bytes());
  CHECK(copy.capacity() > first);
}

TEST_CASE("a state of no bytes is copied too") {
  staged_state copy;
  copy.take(detail::plan_of(std::vector<float>{}), 2);
  CHECK(bytes_in(copy.tensors()) == "");
}

TEST_CASE("a state that changes while it is copied is noticed, and the copy can be used again") {
  staged_state copy;
  std::vector<row> rows(100);
  auto plan = detail::plan_of(rows);
  rows.resize(50);
  bool is_noticed = false;
  try {
    copy.take(std::move(plan), 1);
  } catch (const error& e) {
    is_noticed = e.code() == errc::invalid_value;
  }
  CHECK(is_noticed);
  rows.assign(7, {4, "whole"});
  copy.take(detail::plan_of(rows), 1);
  CHECK((bytes_in(copy.tensors()) == bytes_in(detail::plan_of(rows).tensors())));
}
