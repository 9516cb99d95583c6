// SPDX-License-Identifier: BSL-1.0
// sink/file_target.ipp: the definitions of file_target.hpp (floor: sink).
#ifndef TIDEMARK_SINK_FILE_TARGET_IPP
#define TIDEMARK_SINK_FILE_TARGET_IPP

#include <tidemark/sink/file_target.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void refuse_target(const std::string& path, const char* found, const char* advice) {
  throw error({.code = errc::unsafe_path,
               .file = path,
               .problem = "something else than a file lies at this path",
               .expected = "a regular file or nothing",
               .found = found,
               .advice = advice});
}

}  // namespace tidemark::detail
#endif
