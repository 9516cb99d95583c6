// SPDX-License-Identifier: BSL-1.0
// sink/compression.hpp: a way to compress, as a value, so that what takes one as an option knows no library that compresses (floor: sink).
#ifndef TIDEMARK_SINK_COMPRESSION_HPP
#define TIDEMARK_SINK_COMPRESSION_HPP

#include <tidemark/sink/any_sink.hpp>

#include <functional>
#include <string>

namespace tidemark {

/// How archives are compressed on their way to a sink, and decompressed on their way from a source. Empty: not at all.
struct compression {
  std::string suffix = {};                                ///< of the files' names: ".zst"
  std::function<any_sink(any_sink)> wrap = {};            ///< a sink that compresses into the one it is given
  std::function<any_source(any_source)> unwrap = {};      ///< a source of what was compressed
};

}  // namespace tidemark
#endif
