// SPDX-License-Identifier: BSL-1.0
// archive/number.ipp: the definitions of number.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_NUMBER_IPP
#define TIDEMARK_ARCHIVE_NUMBER_IPP

#include <tidemark/archive/number.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string number_text(const number_type& is, const std::byte* from) {
  double value = 0;
  std::int64_t whole = 0;
  std::uint64_t natural = 0;
  if (read_number(is, from, whole)) return std::to_string(whole);
  if (read_number(is, from, natural)) return std::to_string(natural);
  read_number(is, from, value);
  return std::to_string(value);
}

}  // namespace tidemark::detail
#endif
