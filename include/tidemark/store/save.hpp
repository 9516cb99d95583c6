// SPDX-License-Identifier: BSL-1.0
// store/save.hpp: one call that saves a state to a file or any other sink (floor: store).
#ifndef TIDEMARK_STORE_SAVE_HPP
#define TIDEMARK_STORE_SAVE_HPP

#include <tidemark/archive/encode.hpp>
#include <tidemark/core/cancellation.hpp>
#include <tidemark/core/function_ref.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/store/archive_writer.hpp>
#include <tidemark/store/identity.hpp>
#include <tidemark/store/report.hpp>

#include <string>
#include <type_traits>

namespace tidemark {

struct save_options {
  metadata_list metadata{};            ///< kept beside the state; UTF-8; "format", "tidemark" and what begins with "tidemark." are taken
  tidemark::progress_callback progress{};
  tidemark::cancellation cancel{};     ///< looked at for each piece of at most a MiB; a save that is cancelled leaves what was there
};

namespace detail {

/// `own`: how many entries of the library's there will be.
metadata_list full_metadata(const std::string& identity, const metadata_list& extra, std::size_t own = 2);

/// Hands a file that is laid out to `write`, piece by piece.
void write_pieces(archive_layout& layout, function_ref<void(bytes_view)> write, const progress_callback& progress, const cancellation& cancel);

/// Writes a file that is laid out into a sink, and commits. The report lacks the seconds.
template <class S>
save_report write_layout(archive_layout& layout, std::size_t tensors, S& sink, const progress_callback& progress, const cancellation& cancel) {
  auto writer = sink.open(layout.bytes());
  write_pieces(layout, [&](bytes_view piece) { writer.write(piece); }, progress, cancel);
  save_report report{.bytes = layout.bytes(), .tensors = tensors};
  report.level = writer.commit();
  report.destination = sink.name();
  return report;
}

/// The same of a planned state; compiled once a sink, not once a type.
template <class S>
save_report write_archive(plan_view plan, const std::string& identity, S& sink, const save_options& options) {
  archive_layout layout(plan, full_metadata(identity, options.metadata));
  save_report report = write_layout(layout, plan.tensors.size(), sink, options.progress, options.cancel);
  report.digest = layout.own_digest();
  return report;
}

/// Runs a save, whose errors then name the action and the sink, and times it.
save_report saving(const char* action, function_ref<std::string()> sink, function_ref<save_report()> save);

/// `S` as `S&&` deduces it: what is saved into a temporary `memory` goes with it, unread.
template <class S>
constexpr void require_kept() {
  static_assert(!std::is_same_v<S, memory>, "tidemark: a temporary memory goes when the save returns, and what was saved with it; give it a name and save into that");
}

#ifdef TIDEMARK_COMPILED
extern template save_report write_archive(plan_view plan, const std::string& identity, atomic_file& sink, const save_options& options);
#endif

}  // namespace detail

/// Saves `state` to `sink` and returns when it is committed. Nothing large is copied but what user code snapshots: beyond that and
/// the state it takes at most 32 MiB and 1 KiB a tensor. Equal states give equal bytes. `state` may be read by others meanwhile; if
/// another thread changes it, the behaviour is undefined.
/// Throws `error`: whatever the sink throws; limit (more tensors or metadata than a header holds); unsupported (a valueless variant,
/// a tag or metadata that cannot be written, alternatives that look alike); invalid_value (a state that could not be restored);
/// cancelled.
/// On any exception before the commit the sink keeps what it had.
template <class T, class S>
  requires Sink<std::remove_cvref_t<S>>
save_report save(const T& state, S&& sink, const save_options& options = {}) {
  detail::require_restorable<T>();
  detail::require_kept<S>();
  if constexpr (Restorable<T>) return detail::saving("save", [&] { return std::string(sink.name()); }, [&] {
    return detail::write_archive<std::remove_reference_t<S>>(detail::plan_of(state), detail::identity_text_of<T>(), sink, options);
  });
}

/// Saves `state` to the file at `path`, atomically and durably: at every moment, through kills and power cuts, the path shows
/// the old file whole or the new one. docs/durability.md has the contract.
template <class T, class Path>
  requires(!Sink<std::remove_cvref_t<Path>> && std::is_constructible_v<atomic_file, const Path&>)
save_report save(const T& state, const Path& path, const save_options& options = {}) {
  return save(state, atomic_file{path}, options);
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/save.ipp>
#endif
#endif
