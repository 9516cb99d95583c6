// SPDX-License-Identifier: BSL-1.0
// examples/charlm/options.hpp: the command line of `charlm train`.
#ifndef TIDEMARK_EXAMPLES_CHARLM_OPTIONS_HPP
#define TIDEMARK_EXAMPLES_CHARLM_OPTIONS_HPP

#include <tidemark/tidemark.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace charlm {

/// A command line that cannot be followed.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  std::string text;
  std::string checkpoint;                                             // one file, replaced by each save; or
  std::string run;                                                    // a folder, the newest three
  tidemark::background background = tidemark::background::off;        // with a folder: who writes
  std::uint64_t steps = 4000;                                         // of the whole training
  std::uint64_t save_every = 25;                                      // steps
  std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max();  // steps in this process
};

inline std::uint64_t parse_count(std::string_view name, std::string_view value) {
  std::uint64_t count = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (failure != std::errc{} || end != value.data() + value.size() || count == 0)
    throw usage_error{std::string{name} + " takes a whole number above 0, not \"" + std::string{value} + "\""};
  return count;
}

inline tidemark::background parse_background(std::string_view value) {
  if (value == "off") return tidemark::background::off;
  if (value == "staged") return tidemark::background::staged;
  if (value == "fork") return tidemark::background::fork;
  throw usage_error{"--background takes off, staged or fork, not \"" + std::string{value} + "\""};
}

/// Reads `--name value` pairs. Throws `usage_error`.
inline options parse_options(std::span<char* const> arguments) {
  options result;
  for (; !arguments.empty(); arguments = arguments.subspan(2)) {
    const std::string_view name = arguments[0];
    if (arguments.size() < 2) throw usage_error{std::string{name} + " takes a value"};
    const std::string_view value = arguments[1];
    if (name == "--text") result.text = value;
    else if (name == "--checkpoint") result.checkpoint = value;
    else if (name == "--run") result.run = value;
    else if (name == "--background") result.background = parse_background(value);
    else if (name == "--steps") result.steps = parse_count(name, value);
    else if (name == "--save-every") result.save_every = parse_count(name, value);
    else if (name == "--at-most") result.at_most = parse_count(name, value);
    else throw usage_error{"there is no option " + std::string{name}};
  }
  if (result.text.empty() || result.checkpoint.empty() == result.run.empty())
    throw usage_error{"--text, and either --checkpoint or --run, are needed"};
  if (result.run.empty() && result.background != tidemark::background::off) throw usage_error{"--background needs --run"};
  return result;
}

}  // namespace charlm
#endif
