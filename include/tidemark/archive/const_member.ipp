// SPDX-License-Identifier: BSL-1.0
// archive/const_member.ipp: the definitions of const_member.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_CONST_MEMBER_IPP
#define TIDEMARK_ARCHIVE_CONST_MEMBER_IPP

#include <tidemark/archive/const_member.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void fail_unfit_constant(std::string_view name) {
  throw error({.code = errc::schema_mismatch, .tensor = std::string(name), .problem = "it is const, and an older version stored it as another type, which is not converted",
               .advice = "Drop the const, so that migrate can set it."});
}

}  // namespace tidemark::detail
#endif
