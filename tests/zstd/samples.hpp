// SPDX-License-Identifier: BSL-1.0
// tests/zstd/samples.hpp: bytes to compress, and what was compressed into a memory.
#ifndef TIDEMARK_TESTS_ZSTD_SAMPLES_HPP
#define TIDEMARK_TESTS_ZSTD_SAMPLES_HPP

#include <tidemark/sink/memory.hpp>
#include <tidemark/zstd/zstd_sink.hpp>
#include <tidemark/zstd/zstd_source.hpp>

#include "sink/scratch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace samples {

/// Half of it gets smaller.
inline std::string mixed(std::size_t size) {
  std::string text = scratch::pattern(size);
  for (std::size_t i = 0; i < size; ++i) {
    if ((i / 100) % 2 == 0) text[i] = static_cast<char>('a' + i % 7);
  }
  return text;
}

inline tidemark::memory compressed(std::string_view text, int level, const tidemark::zstd_options& options, std::size_t piece = 0) {
  tidemark::zstd sink{level, tidemark::memory{}, options};
  scratch::save_text(sink, text, piece);
  return sink.inner();
}

template <class Source>
std::string all_of(const Source& source) {
  std::string text(static_cast<std::size_t>(source.size()), '?');
  source.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace samples
#endif
