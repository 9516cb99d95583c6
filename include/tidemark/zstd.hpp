// SPDX-License-Identifier: BSL-1.0
// zstd.hpp: archives compressed with zstd, on their way to any sink and from any source; needs libzstd (facade: includes only).
#ifndef TIDEMARK_ZSTD_HPP
#define TIDEMARK_ZSTD_HPP

#include <tidemark/zstd/zstd_compression.hpp>
#include <tidemark/zstd/zstd_sink.hpp>
#include <tidemark/zstd/zstd_source.hpp>

#endif
