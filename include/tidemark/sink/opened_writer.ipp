// SPDX-License-Identifier: BSL-1.0
// sink/opened_writer.ipp: the definitions of opened_writer.hpp (floor: sink).
#ifndef TIDEMARK_SINK_OPENED_WRITER_IPP
#define TIDEMARK_SINK_OPENED_WRITER_IPP

#include <tidemark/sink/opened_writer.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void refuse_finished(const std::string& name) {
  throw error({.code = errc::unsupported, .file = name, .problem = "this save is over, it was committed or has failed", .advice = "Open a new one."});
}

}  // namespace tidemark::detail
#endif
