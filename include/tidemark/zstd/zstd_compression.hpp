// SPDX-License-Identifier: BSL-1.0
// zstd/zstd_compression.hpp: zstd as a value of type `compression`, for options that take one (floor: zstd).
#ifndef TIDEMARK_ZSTD_ZSTD_COMPRESSION_HPP
#define TIDEMARK_ZSTD_ZSTD_COMPRESSION_HPP

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/zstd/zstd_sink.hpp>
#include <tidemark/zstd/zstd_source.hpp>

#include <utility>

namespace tidemark {

/// Files end in ".zst". Throws `error` (unsupported) for a level or options that `zstd` refuses.
inline compression zstd_compression(int level = 3, zstd_options options = {}, zstd_source_options reading = {}) {
  detail::check_zstd(level, options, "zstd_compression");
  return {.suffix = ".zst",
          .wrap = [=](any_sink sink) -> any_sink { return zstd<any_sink>(level, std::move(sink), options); },
          .unwrap = [=](any_source source) -> any_source { return zstd_source<any_source>(std::move(source), reading); }};
}

}  // namespace tidemark
#endif
