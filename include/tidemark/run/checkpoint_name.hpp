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

std::string to_text(const checkpoint_name& name);

/// A number as it is printed: no sign, no leading zero, below 2^64. Cut off the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text);

/// The name that a file or folder was given, and what follows it (".safetensors"); nothing for names that are not ours.
struct parsed_name {
  checkpoint_name name;
  std::string_view suffix;
};

std::optional<parsed_name> parse_checkpoint_name(std::string_view text);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/checkpoint_name.ipp>
#endif
#endif
