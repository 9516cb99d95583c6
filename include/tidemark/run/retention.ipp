// SPDX-License-Identifier: BSL-1.0
// run/retention.ipp: the definitions of retention.hpp (floor: run).
#ifndef TIDEMARK_RUN_RETENTION_IPP
#define TIDEMARK_RUN_RETENTION_IPP

#include <tidemark/run/retention.hpp>

#include <tidemark/core/float_bits.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <map>

namespace tidemark {

TIDEMARK_DETAIL_INLINE void require_usable(const retention& keep) {
  const auto refuse = [](const char* problem, const char* advice) {
    throw error({.code = errc::invalid_value, .action = "keep checkpoints", .problem = problem, .advice = advice});
  };
  if (keep.keep_last == 0) refuse("keep_last is 0, so that a run could be left without a checkpoint", "Keep at least 1.");
  for (const auto& rule : keep.keep_best) {
    if (rule.metric.empty()) refuse("a keep_best names no metric", "Name one that is given to tick or save.");
  }
}

}  // namespace tidemark

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const double* metric_of(const checkpoint_facts& facts, const std::string& name) noexcept {
  for (const auto& [key, value] : facts.metrics) {
    if (key == name) return is_nan(value) ? nullptr : &value;
  }
  return nullptr;
}

TIDEMARK_DETAIL_INLINE std::vector<std::size_t> valid_by_sequence(std::span<const checkpoint_facts> all) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_valid) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].sequence < all[b].sequence; });
  return order;
}

TIDEMARK_DETAIL_INLINE void retention_marks::keep_last(std::size_t n) {
  for (std::size_t i = order.size() - (std::min)(n, order.size()); i < order.size(); ++i) kept[order[i]] = true;
}

TIDEMARK_DETAIL_INLINE void retention_marks::keep_every(std::uint64_t every) {
  if (every == 0) return;
  std::map<std::uint64_t, std::size_t> last;
  for (const std::size_t i : order) {
    const auto [at, is_first] = last.try_emplace(interval_of(all[i].step, every), i);
    if (!is_first && all[at->second].step <= all[i].step) at->second = i;
  }
  for (const auto& [interval, i] : last) kept[i] = true;
}

TIDEMARK_DETAIL_INLINE void retention_marks::keep_best(const tidemark::keep_best& rule) {
  std::vector<std::pair<double, std::size_t>> ranked;  // with the place in `order`, so that among equals the earlier comes first
  for (std::size_t at = 0; at < order.size(); ++at) {
    const double* value = metric_of(all[order[at]], rule.metric);
    if (value != nullptr) ranked.emplace_back(rule.is == best::lowest ? *value : -*value, at);
  }
  std::sort(ranked.begin(), ranked.end());
  for (std::size_t i = 0; i < (std::min)(rule.n, ranked.size()); ++i) kept[order[ranked[i].second]] = true;
}

TIDEMARK_DETAIL_INLINE void retention_marks::keep_geometric(std::size_t ages) {
  for (unsigned level = 0; level < (std::min)(ages, std::size_t{64}); ++level) {
    std::size_t buckets = 0;
    for (std::size_t at = order.size(); at-- > 0 && buckets < 2;) {
      const std::uint64_t bucket = all[order[at]].sequence >> level;
      if (at == 0 || all[order[at - 1]].sequence >> level != bucket) {
        kept[order[at]] = true;
        ++buckets;
      }
    }
  }
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::vector<std::size_t> expired(std::span<const checkpoint_facts> all, const retention& keep) {
  require_usable(keep);
  const std::vector<std::size_t> order = detail::valid_by_sequence(all);
  detail::retention_marks marks{all, order, std::vector<bool>(all.size())};
  marks.keep_last(keep.keep_last);
  marks.keep_every(keep.keep_every);
  for (const auto& rule : keep.keep_best) marks.keep_best(rule);
  marks.keep_geometric(keep.keep_geometric);
  std::vector<std::size_t> result;
  for (const std::size_t i : order) {
    if (!marks.kept[i] && !all[i].is_pinned) result.push_back(i);
  }
  return result;
}

}  // namespace tidemark
#endif
