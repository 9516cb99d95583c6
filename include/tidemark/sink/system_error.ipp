// SPDX-License-Identifier: BSL-1.0
// sink/system_error.ipp: the definitions of system_error.hpp (floor: sink).
#ifndef TIDEMARK_SINK_SYSTEM_ERROR_IPP
#define TIDEMARK_SINK_SYSTEM_ERROR_IPP

#include <tidemark/sink/system_error.hpp>

#include <tidemark/core/linkage.hpp>

#include <system_error>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void throw_errno(int number, error_details details) {
  details.code = code_of_errno(number);
  details.problem += " (" + std::generic_category().message(number) + ')';
  if (details.advice.empty()) details.advice = advice_for_errno(number);
  details.system = number;
  throw error(std::move(details));
}

TIDEMARK_DETAIL_INLINE void throw_save_errno(int number, const std::string& path, std::string problem, std::uint64_t needed) {
  error_details details{.file = path, .problem = std::move(problem), .advice = std::string(advice_for_errno(number))};
  if (needed != 0 && code_of_errno(number) == errc::no_space) details.expected = std::to_string(needed) + " bytes of space";
  if (!details.advice.empty()) details.advice += ' ';
  details.advice += "What was at this path before is untouched.";
  throw_errno(number, std::move(details));
}

}  // namespace tidemark::detail
#endif
