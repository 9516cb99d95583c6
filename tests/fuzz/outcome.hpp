// SPDX-License-Identifier: BSL-1.0
// fuzz/outcome.hpp: how a call of the library ends; anything but its own error is a defect.
#ifndef TIDEMARK_TESTS_FUZZ_OUTCOME_HPP
#define TIDEMARK_TESTS_FUZZ_OUTCOME_HPP

#include "allocations.hpp"

#include <tidemark/core/error.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace fuzz {

/// Nothing where `f` returns, else the code of the error, whose message must be fit for a log.
template <class F>
std::optional<tidemark::errc> outcome(F&& f) {
  try {
    f();
    return std::nullopt;
  } catch (const tidemark::error& e) {
    const std::string_view text = e.what();
    require(text.starts_with("tidemark: ") && text.size() < (1u << 20), "a message of another form");
    return e.code();
  }
}

inline std::string code_text(const std::optional<tidemark::errc>& code) { return code ? std::string(name_of(*code)) : "accepted"; }

}  // namespace fuzz
#endif
