// SPDX-License-Identifier: BSL-1.0
// run/scan.hpp: everything that lies in a run's folder, and whether it can be relied on (floor: run).
#ifndef TIDEMARK_RUN_SCAN_HPP
#define TIDEMARK_RUN_SCAN_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/path.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

enum class checkpoint_state : std::uint8_t {
  valid,    ///< every byte was compared with its digest (or, if only headers were asked for, header, sizes and digests fit)
  torn,     ///< never finished: a save, or a removal, that was interrupted or is still under way
  corrupt,  ///< finished once, and damaged since
  foreign,  ///< nothing that a run of ours writes
};

constexpr std::string_view name_of(checkpoint_state state) noexcept {
  switch (state) {
    case checkpoint_state::valid: return "valid";
    case checkpoint_state::torn: return "torn";
    case checkpoint_state::corrupt: return "corrupt";
    case checkpoint_state::foreign: return "foreign";
  }
  return "unknown";
}

struct scanned_checkpoint {
  std::string path{};
  checkpoint_state state = checkpoint_state::foreign;
  std::uint64_t step = 0;          ///< step and sequence are those of the name; 0 of what is no checkpoint
  std::uint64_t sequence = 0;
  std::uint64_t bytes = 0;         ///< of the file, or of all files of the folder
  double age_seconds = 0;          ///< since it was written
  bool is_pinned = false;
  metric_list metrics{};
  metadata_list metadata{};
  std::string tensor{};            ///< that is damaged, where the damage lies in one
  std::string problem{};           ///< the whole message; empty where it is valid
};

struct scan_options {
  bool reads_data = true;               ///< false: headers only, which is quick, and finds no damage inside of tensors
  tidemark::compression compression{};  ///< where checkpoints are compressed
  unsigned threads = 0;                 ///< as in `load_options`
};

namespace detail {

std::vector<scanned_checkpoint> scan_folder(const std::string& path, const scan_options& options);

}  // namespace detail

/// Every entry of a run's folder but the lock, `latest` and `pinned`: checkpoints first, the newest first, then what is none. Changes
/// nothing, needs no lock, and may run beside a run that goes on. Reads every byte unless told otherwise. Throws `error`: not_found; io also
/// where one may not be read, or cannot be for another reason than the disk: that says nothing of it; no_space (memory).
template <detail::PathLike Path>
std::vector<scanned_checkpoint> scan(const Path& folder, const scan_options& options = {}) {
  return detail::scan_folder(detail::path_text(folder), options);
}

/// A line for each, for people.
std::string to_text(const std::vector<scanned_checkpoint>& all);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/scan.ipp>
#endif
#endif
