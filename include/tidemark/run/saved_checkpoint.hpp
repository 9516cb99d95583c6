// SPDX-License-Identifier: BSL-1.0
// run/saved_checkpoint.hpp: a checkpoint of a run as it was saved, and how its step and metrics travel in its metadata (floor: run).
#ifndef TIDEMARK_RUN_SAVED_CHECKPOINT_HPP
#define TIDEMARK_RUN_SAVED_CHECKPOINT_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/format/header_writer.hpp>
#include <tidemark/run/checkpoint_name.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// Named numbers that say how good a state is: the validation loss, an accuracy.
using metric_list = std::vector<std::pair<std::string, double>>;

struct saved_checkpoint {
  std::uint64_t step = 0;
  std::uint64_t sequence = 0;  ///< the number of the save in its folder
  std::string path{};
  std::uint64_t bytes = 0;     ///< on the disk
  double seconds = 0;          ///< from the plan to the commit; of a background save, those of the thread or child
  durability level = durability::none;
  digest128 digest{};
};

namespace detail {

inline constexpr std::string_view step_key = "step", sequence_key = "sequence", metric_prefix = "metric.";

/// The shortest text that reads back as the same number.
std::string shortest_text(double value);

/// What a checkpoint's metadata say of it, before what the caller adds.
metadata_list metadata_of(const checkpoint_name& name, const metric_list& metrics, const metadata_list& more);

/// With a point in every locale; `std::from_chars` would do, but not every library has it for numbers with one.
bool parse_number(std::string text, double& into);

/// The metrics among metadata; what does not read as a number is none.
template <class Metadata>
metric_list metrics_in(const Metadata& metadata) {
  metric_list metrics;
  for (const auto& [key, value] : metadata) {
    const std::string_view name = key;
    double number = 0;
    if (name.starts_with(metric_prefix) && parse_number(std::string(value), number)) metrics.emplace_back(name.substr(metric_prefix.size()), number);
  }
  return metrics;
}

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/saved_checkpoint.ipp>
#endif
#endif
