// SPDX-License-Identifier: BSL-1.0
// archive/fail/tensors_in_rows.fail.cpp: tensors of any type make no column; they must not be left out unseen.
// expect: tidemark: what is stored as_rows cannot hold named_tensors or arrays that the program owns
#include <tidemark/archive/encode.hpp>
#include <tidemark/model/named_tensors.hpp>

struct sample {
  int id;
#ifdef MUST_FAIL
  tidemark::named_tensors weights;
#else
  std::vector<float> weights;
#endif
};
template <>
inline constexpr bool tidemark::as_rows<sample> = true;

int main() {
  tidemark::detail::save_plan plan;
  tidemark::detail::walk_name name(false);
  const std::vector<sample> rows(1);
  tidemark::detail::encode_column<sample>(plan, name, tidemark::detail::extents(1), [&](auto f) { f(rows[0]); });
  return 0;
}
