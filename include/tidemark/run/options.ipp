// SPDX-License-Identifier: BSL-1.0
// run/options.ipp: the definitions of options.hpp (floor: run).
#ifndef TIDEMARK_RUN_OPTIONS_IPP
#define TIDEMARK_RUN_OPTIONS_IPP

#include <tidemark/run/options.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/float_bits.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/format/manifest.hpp>
#include <tidemark/run/checkpoint_name.hpp>

#include <string>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::chrono::steady_clock::duration clock_duration(std::chrono::duration<double> given) {
  if (is_nan(given.count())) throw error({.code = errc::invalid_value, .action = "plan saves", .problem = "`every` is no number"});
  constexpr std::chrono::duration<double> longest = std::chrono::hours(24 * 365 * 100);
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(given > longest ? longest : given < -longest ? -longest : given);
}

TIDEMARK_DETAIL_INLINE void require_usable(const checkpointer_options& options) {
  require_usable(retention{options.keep_last, options.keep_every, options.keep_best, options.keep_geometric});
  static_cast<void>(cadence({.every_steps = options.every_steps, .every = clock_duration(options.every)}, {}));
  const auto refuse = [](std::string problem, std::string found, const char* advice) {
    throw error({.code = errc::invalid_value, .action = "save checkpoints", .problem = std::move(problem), .found = std::move(found), .advice = advice});
  };
  const compression& packed = options.compression;
  if (bool(packed.wrap) != bool(packed.unwrap)) refuse("the compression can only be gone one way, so that what is saved could not be read", "", "Give wrap and unwrap, or neither.");
  const std::string longest = to_text({.sequence = UINT64_MAX, .step = UINT64_MAX}) + ".safetensors" + packed.suffix;
  if (!is_flat_name(longest)) refuse("the compression's suffix makes no name of a file", packed.suffix, "Take a short one of letters, digits, '-', '_' and '.', as \".zst\".");
  if (!options.shards) return;
  sharding how = *options.shards;
  how.compression = packed;
  require_usable(how, "");
}

}  // namespace tidemark::detail
#endif
