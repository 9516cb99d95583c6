// SPDX-License-Identifier: BSL-1.0
// A stranger's program that hashes: links where the component openssl brings its library along.
#include <tidemark/openssl.hpp>

#include <tidemark/sink/memory.hpp>

int main() {
  tidemark::sha256 sink{tidemark::memory{}};
  sink.open(0).commit();
  return sink.digest().hex().size() == 64 ? 0 : 1;
}
