// SPDX-License-Identifier: BSL-1.0
// fuzz/allocations.hpp: how much memory a call takes, where replaced_new.hpp counts it.
#ifndef TIDEMARK_TESTS_FUZZ_ALLOCATIONS_HPP
#define TIDEMARK_TESTS_FUZZ_ALLOCATIONS_HPP

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace fuzz {

/// Of this thread: bytes that are live, and the most that were since the peak was last set back.
struct allocation_count {
  std::int64_t live = 0, peak = 0;
  bool is_counting = false;  ///< whether operator new is replaced at all
};
inline thread_local allocation_count allocations;

/// A defect of the library: no input may lead here. Uncaught under libFuzzer, so that the input is kept.
class defect : public std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw defect(what);
}

/// What `f` returns; a defect where more than `limit` bytes above those before it are live at any moment.
template <class F>
decltype(auto) within(std::int64_t limit, F&& f) {
  const std::int64_t before = allocations.live;
  allocations.peak = before;
  struct check {
    std::int64_t before, limit;
    void operator()() const {
      const std::int64_t taken = allocations.peak - before;
      require(taken <= limit, std::to_string(taken) + " bytes were taken where " + std::to_string(limit) + " are allowed");
    }
  } const at_end{before, limit};
  if constexpr (std::is_void_v<decltype(f())>) {
    f();
    at_end();
  } else {
    decltype(auto) result = f();
    at_end();
    return result;
  }
}

}  // namespace fuzz
#endif
