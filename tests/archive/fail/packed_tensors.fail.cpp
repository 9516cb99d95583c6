// SPDX-License-Identifier: BSL-1.0
// archive/fail/packed_tensors.fail.cpp: tensors of any type have no place in a run of bytes; they must not be left out unseen.
// expect: tidemark: a type that contains itself cannot hold named_tensors or arrays that the program owns
#include <tidemark/archive/pack.hpp>
#include <tidemark/model/named_tensors.hpp>

struct tree {
  int value;
  std::vector<tree> children;
#ifdef MUST_FAIL
  tidemark::named_tensors weights;
#else
  std::vector<float> weights;
#endif
};

int main() {
  std::string bytes;
  tidemark::detail::pack(bytes, tree{});
  return bytes.empty();
}
