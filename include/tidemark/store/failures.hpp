// SPDX-License-Identifier: BSL-1.0
// store/failures.hpp: adds to an error from below what was being done, and to which file (floor: store).
#ifndef TIDEMARK_STORE_FAILURES_HPP
#define TIDEMARK_STORE_FAILURES_HPP

#include <tidemark/core/error.hpp>

#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace tidemark::detail {

/// Runs `f`; an `error` that leaves it names the action, and the file where it named none.
template <class Name, class F>
decltype(auto) doing(std::string_view action, Name&& name, F&& f) {
  try {
    return amending(std::forward<F>(f), [&](error_details& details) {
      details.action = action;
      if (details.file.empty()) details.file = name();
    });
  } catch (const std::bad_alloc&) {
    throw error({.code = errc::no_space, .action = std::string(action), .file = name(), .problem = "there is not enough memory"});
  }
}

}  // namespace tidemark::detail
#endif
