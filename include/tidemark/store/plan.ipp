// SPDX-License-Identifier: BSL-1.0
// store/plan.ipp: the definitions of plan.hpp (floor: store).
#ifndef TIDEMARK_STORE_PLAN_IPP
#define TIDEMARK_STORE_PLAN_IPP

#include <tidemark/store/plan.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::string to_text(const archive_plan& plan) {
  std::string text;
  for (const auto& t : plan.tensors) {
    text += t.name + std::string(t.name.size() < 40 ? 41 - t.name.size() : 1, ' ') + detail::shape_text(t.type, t.shape) + '\n';
  }
  return text + std::to_string(plan.tensors.size()) + " tensors, " + std::to_string(plan.file_bytes) + " bytes\n";
}

}  // namespace tidemark
#endif
