// SPDX-License-Identifier: BSL-1.0
// run/saved_checkpoint.ipp: the definitions of saved_checkpoint.hpp (floor: run).
#ifndef TIDEMARK_RUN_SAVED_CHECKPOINT_IPP
#define TIDEMARK_RUN_SAVED_CHECKPOINT_IPP

#include <tidemark/run/saved_checkpoint.hpp>

#include <tidemark/core/linkage.hpp>

#include <charconv>
#include <clocale>
#include <cstdlib>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string shortest_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

TIDEMARK_DETAIL_INLINE metadata_list metadata_of(const checkpoint_name& name, const metric_list& metrics, const metadata_list& more) {
  metadata_list all{{std::string(step_key), std::to_string(name.step)}, {std::string(sequence_key), std::to_string(name.sequence)}};
  for (const auto& [metric, value] : metrics) all.emplace_back(std::string(metric_prefix) + metric, shortest_text(value));
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TIDEMARK_DETAIL_INLINE bool parse_number(std::string text, double& into) {
  if (const std::size_t point = text.find('.'); point != std::string::npos) text.replace(point, 1, std::localeconv()->decimal_point);
  char* end = nullptr;
  into = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

}  // namespace tidemark::detail
#endif
