// SPDX-License-Identifier: BSL-1.0
// store/fail/temporary_memory.fail.cpp: what is saved into a memory without a name could never be read.
// expect: tidemark: a temporary memory goes when the save returns, and what was saved with it
#include <tidemark/store.hpp>

#include <vector>

struct model {
  std::vector<float> weights = std::vector<float>(8);
};

int main() {
  std::vector<std::byte> bytes;
#ifdef MUST_FAIL
  tidemark::save(model{}, tidemark::memory{bytes});
#else
  tidemark::memory archive{bytes};
  tidemark::save(model{}, archive);
#endif
}
