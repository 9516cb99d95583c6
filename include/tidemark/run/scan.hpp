// SPDX-License-Identifier: BSL-1.0
// run/scan.hpp: everything that lies in a run's folder, and whether it can be relied on (floor: run).
#ifndef TIDEMARK_RUN_SCAN_HPP
#define TIDEMARK_RUN_SCAN_HPP

#include <tidemark/run/run_folder.hpp>
#include <tidemark/run/run_record.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/file_facts.hpp>
#include <tidemark/sink/folder_lock.hpp>
#include <tidemark/store/checkpoint_source.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/load.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// Nothing where it has gone meanwhile.
template <class Ops>
std::optional<scanned_checkpoint> look_at(const run_folder<Ops>& folder, const folder_entry& entry, const scan_options& options) {
  scanned_checkpoint found{.path = folder.path_of(entry.name)};
  const auto checkpoint = folder.as_checkpoint(entry);
  const bool is_ours = is_staging_name(entry.name) || is_trash_name(entry.name);
  const file_facts facts = amending([&] { return facts_of(folder.folder(), entry.name, checkpoint || is_ours ? entry.kind : entry_kind::other); },
                                    [&](error_details& details) { details.file = found.path; });
  found.bytes = facts.bytes;
  found.age_seconds = facts.age_seconds;
  if (!checkpoint) {
    found.state = is_ours ? checkpoint_state::torn : checkpoint_state::foreign;
    found.problem = is_trash_name(entry.name) ? "a removal that was interrupted" : is_ours ? "a save that was interrupted, or is under way" : "no checkpoint of a run";
    return folder.holds(entry.name) ? std::optional(std::move(found)) : std::nullopt;
  }
  found.step = checkpoint->name.step;
  found.sequence = checkpoint->name.sequence;
  try {
    const basic_checkpoint_source<Ops> source(found.path, options.compression, folder.folder().ops());
    load_report report;
    if (options.reads_data) report = verify(source, {.threads = options.threads});
    else archive_reader(source_ref(source)).fill(report);
    found.metadata = std::move(report.metadata);
    found.metrics = metrics_in(found.metadata);
    found.state = report.has_schema ? checkpoint_state::valid : checkpoint_state::foreign;
    if (!report.has_schema) found.problem = "a safetensors file of another writer";
  } catch (const error& e) {
    if (!folder.holds(entry.name)) return std::nullopt;
    // No word on the checkpoint: a missing right, no descriptor left, no memory.
    if ((e.code() == errc::io && e.system() != EIO) || e.code() == errc::no_space) throw;
    // Of a later release, or compressed with what was not given here: nothing is wrong with it.
    const bool is_unknown = e.code() == errc::newer_version || e.code() == errc::unsupported;
    found.state = e.code() == errc::not_found ? checkpoint_state::torn : is_unknown ? checkpoint_state::foreign : checkpoint_state::corrupt;
    found.tensor = e.tensor();
    found.problem = e.what();
  }
  return found;
}

}  // namespace detail

/// Every entry of a run's folder but the lock, `latest` and `pinned`: checkpoints first, the newest first, then what is none. Changes
/// nothing, needs no lock, and may run beside a run that goes on. Reads every byte unless told otherwise. Throws `error`: not_found; io also
/// where one may not be read, or cannot be for another reason than the disk: that says nothing of it; no_space (memory).
template <detail::PathLike Path>
std::vector<scanned_checkpoint> scan(const Path& folder, const scan_options& options = {}) {
  return detail::doing("scan", [&] { return detail::path_text(folder); }, [&] {
    const detail::run_folder<file_ops> opened(file_ops{}, detail::path_text(folder), false, options.compression.suffix);
    const auto pinned = detail::pinned_names(opened);
    std::vector<scanned_checkpoint> all;
    for (const detail::folder_entry& entry : opened.entries()) {
      if (entry.name == folder_lock::file_name || entry.name == detail::latest_name || entry.name == detail::pinned_name) continue;
      auto found = detail::look_at(opened, entry, options);
      if (!found) continue;
      found->is_pinned = pinned.contains(entry.name);
      all.push_back(std::move(*found));
    }
    std::sort(all.begin(), all.end(), [](const scanned_checkpoint& a, const scanned_checkpoint& b) {
      return a.sequence != b.sequence ? a.sequence > b.sequence : a.step != b.step ? a.step > b.step : a.path < b.path;
    });
    return all;
  });
}

/// A line for each, for people.
inline std::string to_text(const std::vector<scanned_checkpoint>& all) {
  std::string text;
  for (const scanned_checkpoint& c : all) {
    text += std::string(name_of(c.state)) + (c.is_pinned ? " pinned" : "") + "  " + detail::shown(c.path) + "  " + std::to_string(c.bytes) + " bytes, " +
            std::to_string(static_cast<std::uint64_t>(c.age_seconds)) + " s old";
    for (const auto& [name, value] : c.metrics) text += ", " + detail::shown(name) + " " + detail::number_text(value);
    if (!c.problem.empty()) text += "\n    " + c.problem;
    text += '\n';
  }
  return text;
}

}  // namespace tidemark
#endif
