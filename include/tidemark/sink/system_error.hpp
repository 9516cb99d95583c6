// SPDX-License-Identifier: BSL-1.0
// sink/system_error.hpp: what an errno means to someone who saves or loads: a code, the system's words, advice (floor: sink).
#ifndef TIDEMARK_SINK_SYSTEM_ERROR_HPP
#define TIDEMARK_SINK_SYSTEM_ERROR_HPP

#include <tidemark/core/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::detail {

errc code_of_errno(int number) noexcept;
std::string_view advice_for_errno(int number) noexcept;

/// Throws what `details` says, completed by the code, the system's words and the advice that belong to `number`.
[[noreturn]] void throw_errno(int number, error_details details);

/// For a save that fails before its new file is visible. `needed` bytes, unless 0, are named where space is the problem.
[[noreturn]] void throw_save_errno(int number, const std::string& path, std::string problem, std::uint64_t needed);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/system_error.ipp>
#endif
#endif
