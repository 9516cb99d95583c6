// SPDX-License-Identifier: BSL-1.0
// run/resume.ipp: the definitions of resume.hpp (floor: run).
#ifndef TIDEMARK_RUN_RESUME_IPP
#define TIDEMARK_RUN_RESUME_IPP

#include <tidemark/run/resume.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE bool is_damage(const error& e) noexcept {
  if (e.is_outside()) return false;  // an older one would fit by chance, and cut the log back to it
  switch (e.code()) {
    case errc::corrupt:
    case errc::truncated:
    case errc::not_found:
    case errc::unsafe_path:
    case errc::invalid_value:
    case errc::partly_restored: return true;
    case errc::io: return e.system() == EIO;
    default: return false;
  }
}

TIDEMARK_DETAIL_INLINE void fail_all_damaged(const std::string& folder, const std::vector<skipped_checkpoint>& skipped) {
  std::string problem = "it holds " + std::to_string(skipped.size()) + (skipped.size() == 1 ? " checkpoint, which cannot be used:\n" : " checkpoints, and none of them can be used:\n");
  for (const auto& s : skipped) problem += "  " + s.reason + '\n';
  throw error({.code = errc::corrupt, .action = "resume from", .file = folder, .problem = std::move(problem),
               .advice = "Nothing is begun anew by itself. Bring back a copy, or move the folder away to start from the beginning."});
}

}  // namespace tidemark::detail
#endif
