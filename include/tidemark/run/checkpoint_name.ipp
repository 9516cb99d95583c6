// SPDX-License-Identifier: BSL-1.0
// run/checkpoint_name.ipp: the definitions of checkpoint_name.hpp (floor: run).
#ifndef TIDEMARK_RUN_CHECKPOINT_NAME_IPP
#define TIDEMARK_RUN_CHECKPOINT_NAME_IPP

#include <tidemark/run/checkpoint_name.hpp>

#include <tidemark/core/linkage.hpp>

#include <charconv>
#include <system_error>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string to_text(const checkpoint_name& name) { return "step-" + std::to_string(name.step) + '-' + std::to_string(name.sequence); }

TIDEMARK_DETAIL_INLINE std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (failure != std::errc{} || (digits > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

TIDEMARK_DETAIL_INLINE std::optional<parsed_name> parse_checkpoint_name(std::string_view text) {
  if (!text.starts_with("step-")) return std::nullopt;
  text.remove_prefix(5);
  parsed_name parsed;
  if (const auto step = take_number(text)) parsed.name.step = *step;
  else return std::nullopt;
  if (!text.starts_with('-')) return std::nullopt;
  text.remove_prefix(1);
  if (const auto sequence = take_number(text)) parsed.name.sequence = *sequence;
  else return std::nullopt;
  if (!text.empty() && text.front() != '.') return std::nullopt;
  parsed.suffix = text;
  return parsed;
}

}  // namespace tidemark::detail
#endif
