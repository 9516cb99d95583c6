// SPDX-License-Identifier: BSL-1.0
// sink/staging_name.ipp: the definitions of staging_name.hpp (floor: sink).
#ifndef TIDEMARK_SINK_STAGING_NAME_IPP
#define TIDEMARK_SINK_STAGING_NAME_IPP

#include <tidemark/sink/staging_name.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE bool are_random_digits(std::string_view text) noexcept {
  return text.size() == staging_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

TIDEMARK_DETAIL_INLINE bool is_staging_name(std::string_view name) noexcept {
  if (name.size() < 1 + staging_infix.size() + staging_digits || name.front() != '.') return false;
  return are_random_digits(name.substr(name.size() - staging_digits)) && name.substr(0, name.size() - staging_digits).ends_with(staging_infix);
}

TIDEMARK_DETAIL_INLINE std::string_view staging_base(std::string_view name) noexcept {
  return name.substr(1, name.size() - 1 - staging_infix.size() - staging_digits);
}

}  // namespace tidemark::detail
#endif
