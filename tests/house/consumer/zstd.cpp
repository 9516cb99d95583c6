// SPDX-License-Identifier: BSL-1.0
// A stranger's program that compresses: links where the component zstd brings its library along.
#include <tidemark/zstd.hpp>

#include <tidemark/sink/memory.hpp>

int main() {
  tidemark::zstd sink{3, tidemark::memory{}};
  sink.open(0).commit();
  return tidemark::zstd_source{sink.inner()}.size() == 0 ? 0 : 1;
}
