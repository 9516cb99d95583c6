// SPDX-License-Identifier: BSL-1.0
// run/run_record.hpp: what a run's folder holds, kept up to date save by save: the newest, the pinned, what may go (floor: run).
#ifndef TIDEMARK_RUN_RUN_RECORD_HPP
#define TIDEMARK_RUN_RUN_RECORD_HPP

#include <tidemark/run/retention.hpp>
#include <tidemark/run/run_folder.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/system_error.hpp>
#include <tidemark/store/archive_reader.hpp>
#include <tidemark/store/checkpoint_source.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// The files of checkpoints that are pinned, by name, as the folder's `pinned` lists them.
template <class Ops>
std::set<std::string, std::less<>> pinned_names(const run_folder<Ops>& folder) {
  std::set<std::string, std::less<>> names;
  const auto entries = folder.entries();
  if (std::none_of(entries.begin(), entries.end(), [](const folder_entry& e) { return e.name == pinned_name; })) return names;
  const basic_file_source<Ops> file(folder.folder(), pinned_name, folder.path_of(pinned_name));
  // Half of the list would let the other half be deleted.
  constexpr std::uint64_t longest = std::uint64_t{64} << 20;
  if (file.size() > longest) {
    throw error({.code = errc::limit, .file = file.name(), .problem = "the list of pinned checkpoints is too long", .expected = std::to_string(longest) + " bytes at most", .found = std::to_string(file.size()),
                 .advice = "It has a file's name on each line; remove those that are no longer there."});
  }
  const std::string text = first_bytes(file, longest);
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = (std::min)(left.find('\n'), left.size());
    names.emplace(left.substr(0, end));
    left.remove_prefix((std::min)(end + 1, left.size()));
  }
  return names;
}

/// May be used by several threads.
template <class Ops>
class run_record {
 public:
  /// Reads the headers of the checkpoints that are there, and removes what interrupted saves left. Under the writer's lock.
  run_record(const run_folder<Ops>& folder, retention keep, const compression& unwrap) : folder_(folder), keep_(std::move(keep)) {
    require_usable(keep_);
    folder_.sweep();
    const auto pinned = pinned_names(folder_);
    for (listed_checkpoint& found : folder_.checkpoints()) {
      checkpoint_facts facts{.sequence = found.name.sequence, .step = found.name.step, .is_valid = false, .is_pinned = pinned.contains(found.file)};
      try {
        const basic_checkpoint_source<Ops> source(folder_.path_of(found.file), unwrap, folder_.folder().ops());
        const archive_reader reader{source_ref(source)};
        facts.metrics = metrics_in(reader.header().metadata);
        facts.is_valid = true;
      } catch (const error&) {
        // Unreadable: it counts for nothing, and is never deleted.
      }
      facts_.push_back(std::move(facts));
      checkpoints_.push_back(std::move(found));
    }
  }

  /// Never used before in this folder, as far as it shows.
  std::uint64_t next_sequence() {
    const std::lock_guard lock(mutex_);
    const std::uint64_t last = checkpoints_.empty() ? 0 : checkpoints_.back().name.sequence;
    if (last == UINT64_MAX) throw error({.code = errc::limit, .file = folder_.path_of(checkpoints_.back().file), .problem = "no number comes after that of this checkpoint", .advice = "Move it away."});
    return last_given_ = (std::max)(last, last_given_) + 1;
  }

  /// The checkpoint is on disk: `latest` names it, and what need not be kept goes. Throws where either fails; the checkpoint stays, and
  /// what need not be kept goes all the same where `latest` fails: it may be just what the disk is full of.
  void add(const saved_checkpoint& saved, const metric_list& metrics) {
    const std::lock_guard lock(mutex_);
    folder_.require_in_place();
    insert(saved, metrics, true);
    std::exception_ptr failure;
    try {
      amending([&] { write_text(latest_name, checkpoints_.back().file + '\n'); }, [](error_details& details) {
        details.advice = "The checkpoint is saved and whole; only `latest`, a hint for people, does not name it. " +
                         std::string(details.code == errc::unsafe_path ? "Remove what lies there." : advice_for_errno(details.system));
      });
    } catch (const error&) {
      failure = std::current_exception();
    }
    prune();
    if (failure) std::rethrow_exception(failure);
  }

  /// The checkpoint is visible but may not survive a power cut: it is neither counted nor named, and nothing goes for it.
  void add_uncertain(const saved_checkpoint& saved, const metric_list& metrics) {
    const std::lock_guard lock(mutex_);
    insert(saved, metrics, false);
  }

  /// The newest checkpoint of a step is kept (or no longer) whatever the rules say, also by later processes. Throws `error`: not_found, io.
  void pin(std::uint64_t step, bool is_pinned) {
    const std::lock_guard lock(mutex_);
    std::vector<bool> pinned(facts_.size());
    bool is_found = false;
    for (std::size_t i = facts_.size(); i-- > 0;) {
      // Of a step that was saved again the newest is meant to be kept; let go are all of them.
      const bool is_meant = facts_[i].step == step && (is_pinned ? facts_[i].is_valid && !is_found : true);
      pinned[i] = is_meant ? is_pinned : facts_[i].is_pinned;
      is_found = is_found || is_meant;
    }
    if (!is_found) {
      throw error({.code = errc::not_found, .action = is_pinned ? "pin" : "unpin", .file = folder_.path(), .problem = (is_pinned ? "there is no valid checkpoint of step " : "there is no checkpoint of step ") + std::to_string(step), .advice = is_pinned ? "Save it first." : ""});
    }
    std::string text;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (pinned[i]) text += checkpoints_[i].file + '\n';
    }
    folder_.require_in_place();
    write_text(pinned_name, text);  // before it is believed here
    for (std::size_t i = 0; i < facts_.size(); ++i) facts_[i].is_pinned = pinned[i];
  }

  /// It turned out that this one cannot be read: from now on it counts for nothing, and is never deleted.
  void mark_damaged(std::uint64_t sequence) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < facts_.size(); ++i) facts_[i].is_valid = facts_[i].is_valid && facts_[i].sequence != sequence;
  }

 private:
  void insert(const saved_checkpoint& saved, const metric_list& metrics, bool is_valid) {
    listed_checkpoint made{{saved.sequence, saved.step}, saved.path.substr(saved.path.rfind('/') + 1), false};
    made.is_folder = parse_checkpoint_name(made.file)->suffix.empty();
    checkpoints_.push_back(std::move(made));
    facts_.push_back({.sequence = saved.sequence, .step = saved.step, .is_valid = is_valid, .metrics = metrics});
  }

  void prune() {
    auto gone = expired(facts_, keep_);
    std::sort(gone.begin(), gone.end(), std::greater<>());
    for (const std::size_t i : gone) {
      if (!folder_.remove(checkpoints_[i])) continue;  // somebody put files of his own into it: as long as they are there
      checkpoints_.erase(checkpoints_.begin() + static_cast<std::ptrdiff_t>(i));
      facts_.erase(facts_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// A hint and a list of names: atomic, but not worth a sync of their own.
  void write_text(const char* name, const std::string& text) const {
    const basic_atomic_file<Ops> file(folder_.path_of(name), {.durability = std::string_view(name) == pinned_name ? durability::power : durability::process}, folder_.folder().ops());
    auto writer = file.open(text.size());
    writer.write(bytes_of(text));
    writer.commit();
  }

  const run_folder<Ops>& folder_;
  retention keep_;
  std::mutex mutex_;
  std::vector<listed_checkpoint> checkpoints_;  // by sequence
  std::vector<checkpoint_facts> facts_;         // of each
  std::uint64_t last_given_ = 0;
};

}  // namespace tidemark::detail
#endif
