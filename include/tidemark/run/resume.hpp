// SPDX-License-Identifier: BSL-1.0
// run/resume.hpp: the newest checkpoint of a run that can be read, and what was wrong with those that could not (floor: run).
#ifndef TIDEMARK_RUN_RESUME_HPP
#define TIDEMARK_RUN_RESUME_HPP

#include <tidemark/run/run_folder.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/store/checkpoint_source.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/load.hpp>

#include <cerrno>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// A checkpoint that was passed over, and why.
struct skipped_checkpoint {
  std::string path{};
  std::uint64_t step = 0;
  std::uint64_t sequence = 0;
  std::string reason{};
  bool is_damaged = true;  ///< false: it is whole, and was rejected by the program's own check
};

struct resumed_checkpoint {
  std::uint64_t step = 0;
  std::uint64_t sequence = 0;
  std::string path{};
  metric_list metrics{};
  load_report report{};                        ///< with the metadata, and what was done where an older version was stored
  std::vector<skipped_checkpoint> skipped{};   ///< newer ones that could not be used, the newest first
};

struct resume_options {
  tidemark::compression compression{};  ///< where checkpoints are compressed
  unsigned threads = 0;                 ///< as in `load_options`
};

namespace detail {

/// Whether another checkpoint may take the place of one that failed so. A file of another type or version is not damaged: an older one
/// in its place would hide a mistake of the program.
bool is_damage(const error& e) noexcept;

[[noreturn]] void fail_all_damaged(const std::string& folder, const std::vector<skipped_checkpoint>& skipped);

struct ignore_damage {
  void operator()(std::uint64_t) const noexcept {}
};

/// Tries the newest first. `restore_from(source)` throws where it cannot be used, and says whether it is accepted; `on_damage(sequence)`
/// learns of each that is damaged, whatever then becomes of the whole.
template <class Ops, class Restore, class OnDamage>
std::optional<resumed_checkpoint> resume_newest(const run_folder<Ops>& folder, const resume_options& options, Restore&& restore_from, OnDamage&& on_damage) {
  for (int attempt = 0;; ++attempt) {
    std::vector<skipped_checkpoint> skipped;
    bool is_outdated = false;
    auto found = folder.checkpoints();
    for (; !found.empty() && !is_outdated; found.pop_back()) {
      const listed_checkpoint& at = found.back();
      const std::string path = folder.path_of(at.file);
      try {
        const basic_checkpoint_source<Ops> source(path, options.compression, folder.folder().ops());
        resumed_checkpoint resumed{.step = at.name.step, .sequence = at.name.sequence, .path = path};
        if (restore_from(source, resumed.report)) {
          resumed.metrics = metrics_in(resumed.report.metadata);
          resumed.skipped = std::move(skipped);
          return resumed;
        }
        skipped.push_back({path, at.name.step, at.name.sequence, path + ": it was rejected by the program's own check", false});
      } catch (const error& e) {
        if (!is_damage(e)) throw;
        // Where a writer has removed it meanwhile there are newer ones by now, and an older one that is kept must not take their place.
        is_outdated = attempt < 100 && !folder.holds(at.file);
        skipped.push_back({path, at.name.step, at.name.sequence, e.what()});
        if (!is_outdated) on_damage(at.name.sequence);
      }
    }
    if (is_outdated) continue;
    if (skipped.empty()) return std::nullopt;
    fail_all_damaged(folder.path(), skipped);
  }
}

template <class T, class Ops, class Accept, class OnDamage = ignore_damage>
std::optional<resumed_checkpoint> resume_in(T& state, const run_folder<Ops>& folder, const resume_options& options, Accept&& accept, OnDamage&& on_damage = {}) {
  const auto restore_from = [&](const auto& source, load_report& report) {
    const load_options how{.threads = options.threads, .report = &report};
    if constexpr (std::is_same_v<std::remove_cvref_t<Accept>, std::nullptr_t>) {
      tidemark::restore(state, source, how);
      return true;
    } else {
      if constexpr (holds_constants<T>()) require_same_constants<T>(state, T());
      if (const T candidate = tidemark::load<T>(source, how); !accept(candidate)) return false;
      tidemark::restore(state, source, how);  // not moved from there: the program's logs and inputs stay its own
      return true;
    }
  };
  return resume_newest(folder, options, restore_from, on_damage);
}

/// `resume_in` of a folder that may be missing.
template <class T, class Path, class Accept>
std::optional<resumed_checkpoint> resume_at(T& state, const Path& folder, const resume_options& options, Accept&& accept) {
  return doing("resume from", [&] { return path_text(folder); }, [&]() -> std::optional<resumed_checkpoint> {
    std::optional<run_folder<file_ops>> opened;
    try {
      opened.emplace(file_ops{}, path_text(folder), false, options.compression.suffix);
    } catch (const error& e) {
      if (e.system() == ENOENT) return std::nullopt;
      throw;
    }
    return resume_in(state, *opened, options, std::forward<Accept>(accept));
  });
}

}  // namespace detail

/// Restores `state` in place from the newest checkpoint of the run in `folder` that is whole, passing over damaged ones: which, and why,
/// is in the result. Nothing where the folder holds no checkpoint, or does not exist. Needs no lock and no right to write: a reader beside
/// a run that goes on.
/// Throws `error`: corrupt where there are checkpoints and none can be used, with the reason of each: the caller must not begin anew without
/// knowing; what `restore` throws for a file of another type or a newer version, and where a log or an input of the state is another. `state` is then as it was, but after partly_restored.
template <class T, detail::PathLike Path>
std::optional<resumed_checkpoint> resume(T& state, const Path& folder, const resume_options& options = {}) {
  return detail::resume_at(state, folder, options, nullptr);
}

/// The same; each candidate is loaded aside and `state` restored from it only if `accept(const T&)` says so, else the next older one is
/// tried. Memory: a second state. Reads the one that is taken twice.
template <class T, detail::PathLike Path, std::predicate<const T&> Accept>
std::optional<resumed_checkpoint> resume(T& state, const Path& folder, Accept accept, const resume_options& options = {}) {
  return detail::resume_at(state, folder, options, std::move(accept));
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/resume.ipp>
#endif
#endif
