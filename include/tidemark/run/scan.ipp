// SPDX-License-Identifier: BSL-1.0
// run/scan.ipp: the definitions of scan.hpp (floor: run).
#ifndef TIDEMARK_RUN_SCAN_IPP
#define TIDEMARK_RUN_SCAN_IPP

#include <tidemark/run/scan.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/run/run_folder.hpp>
#include <tidemark/run/run_record.hpp>
#include <tidemark/sink/file_facts.hpp>
#include <tidemark/sink/folder_lock.hpp>
#include <tidemark/store/checkpoint_source.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/load.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace tidemark::detail {

/// Nothing where it has gone meanwhile.
TIDEMARK_DETAIL_INLINE std::optional<scanned_checkpoint> look_at(const run_folder<file_ops>& folder, const folder_entry& entry, const scan_options& options) {
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
    const basic_checkpoint_source<file_ops> source(found.path, options.compression, folder.folder().ops());
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

TIDEMARK_DETAIL_INLINE std::vector<scanned_checkpoint> scan_folder(const std::string& path, const scan_options& options) {
  return doing("scan", [&] { return path; }, [&] {
    const run_folder<file_ops> opened(file_ops{}, path, false, options.compression.suffix);
    const auto pinned = pinned_names(opened);
    std::vector<scanned_checkpoint> all;
    for (const folder_entry& entry : opened.entries()) {
      if (entry.name == folder_lock::file_name || entry.name == latest_name || entry.name == pinned_name) continue;
      auto found = look_at(opened, entry, options);
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

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::string to_text(const std::vector<scanned_checkpoint>& all) {
  std::string text;
  for (const scanned_checkpoint& c : all) {
    text += std::string(name_of(c.state)) + (c.is_pinned ? " pinned" : "") + "  " + detail::shown(c.path) + "  " + std::to_string(c.bytes) + " bytes, " +
            std::to_string(static_cast<std::uint64_t>(c.age_seconds)) + " s old";
    for (const auto& [name, value] : c.metrics) text += ", " + detail::shown(name) + " " + detail::shortest_text(value);
    if (!c.problem.empty()) text += "\n    " + c.problem;
    text += '\n';
  }
  return text;
}

}  // namespace tidemark
#endif
