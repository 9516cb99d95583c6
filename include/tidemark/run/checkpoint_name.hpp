// SPDX-License-Identifier: BSL-1.0
// run/checkpoint_name.hpp: the names that a run gives its checkpoints, and nobody else's (floor: run).
#ifndef TIDEMARK_RUN_CHECKPOINT_NAME_HPP
#define TIDEMARK_RUN_CHECKPOINT_NAME_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidemark {

/// `step-<step>-<sequence>`: the step for people, the number of the save in this folder for order, since steps may go back.
struct checkpoint_name {
  std::uint64_t sequence = 0;
  std::uint64_t step = 0;

  friend bool operator==(const checkpoint_name&, const checkpoint_name&) = default;
  friend auto operator<=>(const checkpoint_name&, const checkpoint_name&) = default;
};

namespace detail {

inline std::string to_text(const checkpoint_name& name) { return "step-" + std::to_string(name.step) + '-' + std::to_string(name.sequence); }

/// A number as it is printed: no sign, no leading zero, below 2^64. Cut off the front of `text`.
inline std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    const auto digit = static_cast<std::uint64_t>(text[digits] - '0');
    if (value > (UINT64_MAX - digit) / 10 || (digits == 1 && text[0] == '0')) return std::nullopt;
    value = value * 10 + digit;
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

/// The name that a file or folder was given, and what follows it (".safetensors"); nothing for names that are not ours.
struct parsed_name {
  checkpoint_name name;
  std::string_view suffix;
};

inline std::optional<parsed_name> parse_checkpoint_name(std::string_view text) {
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

}  // namespace detail
}  // namespace tidemark
#endif
