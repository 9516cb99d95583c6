// SPDX-License-Identifier: BSL-1.0
// store/load.hpp: a state back from a file or any other source: as a new object, in place, or only verified (floor: store).
#ifndef TIDEMARK_STORE_LOAD_HPP
#define TIDEMARK_STORE_LOAD_HPP

#include <tidemark/archive/common_types.hpp>
#include <tidemark/archive/evolve.hpp>
#include <tidemark/core/function_ref.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/store/archive_reader.hpp>
#include <tidemark/store/report.hpp>
#include <tidemark/store/source_ref.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {

struct load_options {
  unsigned threads = 0;                 ///< that read and verify; 0: as many as there are cores, at most 4
  tidemark::progress_callback progress{};
  load_report* report = nullptr;        ///< filled where given
};

namespace detail {

/// What `reading` reads from. Of a file it is made in one place, whatever is read.
template <Source S>
source_ref source_of(const S& source) {
  return source_ref(source);
}
source_ref source_of(const file_source& source);

/// Runs `read(reader, meter)` on an opened archive and reports; it returns what was done since an older version.
load_report reading(const char* action, const source_ref& source, const load_options& options, int passes,
                    function_ref<std::vector<evolution_step>(archive_reader&, progress_meter&)> read);

/// Reads an older version into a fresh `state`.
template <class T>
void read_evolved(T& state, archive_reader& reader, const stored_evolution& from, unsigned threads, progress_meter& meter) {
  decoder at{reader, walk_name(from.file.kind == kind::record)};
  evolve(at, schema_of<T>(), from.file, state);
  reader.defer_check_of_unclaimed();
  reader.run_deferred(threads, meter);
}

/// The second pass of a restore: the file was whole a moment ago, so a failure here is of another kind.
void second_pass(function_ref<void()> pass);
/// The same, and tells that all is done.
void second_pass(progress_meter& meter, function_ref<void()> pass);

/// Throws: an older version cannot be read aside, for `reason`.
[[noreturn]] void fail_to_read_aside(const char* reason, const char* advice);

/// An older version is read aside, whole, by `read(fresh)`, before `state` is touched: a member that is new needs its default.
template <class T, class Read>
void restore_aside(T& state, Read&& read) {
  if constexpr (!Checkpointable<T>) {
    fail_to_read_aside("holds memory of the program (array_ref, span)", "Load the older version as a type that owns its arrays, and copy.");
  } else if constexpr (std::is_default_constructible_v<T>) {
    T fresh = T();
    require_same_constants<T>(state, fresh);
    read(fresh);
    move_state(state, fresh);
  } else {
    fail_to_read_aside("has no default constructor", "Give it one, or load it with the program that saved it.");
  }
}

/// Throws where `source` is damaged. See `verify`.
load_report verify_archive(const source_ref& source, const load_options& options);

}  // namespace detail

/// Builds a `T` from an archive, in one pass: what is decoded has been compared with its digest before it is returned.
/// Memory: the new state, 32 MiB and 1 KiB a tensor; what an older version stored otherwise, once more. Linear time; arrays are read by
/// several threads.
/// Throws `error`: not_found, unsafe_path, corrupt, truncated, schema_mismatch (lists every path), newer_version, unsupported
/// (no schema), invalid_value, limit, io.
template <class T, Source S>
[[nodiscard]] T load(const S& source, const load_options& options = {}) {
  detail::require_checkpointable<T>();
  static_assert(std::is_default_constructible_v<T>, "tidemark: load<T> begins with a default-constructed T; give it a default constructor, or use restore");
  static_assert(std::is_move_constructible_v<T>, "tidemark: a load returns the state by value, and this one cannot be moved (does it hold a std::atomic or a std::mutex?); make an object and restore it");
  if constexpr (Checkpointable<T> && std::is_default_constructible_v<T> && std::is_move_constructible_v<T>) {
    T state = T();
    detail::reading("load", detail::source_of(source), options, 1, [&](detail::archive_reader& reader, detail::progress_meter& meter) {
      auto from = reader.require_schema<T>();
      if (!from.steps.empty()) {
        detail::read_evolved(state, reader, from, options.threads, meter);
      } else {
        detail::decode_state(reader, std::addressof(state));
        reader.run_deferred(options.threads, meter);
        reader.require_all_claimed();
      }
      return std::move(from.steps);
    });
    return state;
  }
}

/// Makes `state` what the archive holds, in place: arrays of the size that is stored keep their address, elements and map
/// entries that stay keep theirs. The whole archive is verified, compared with the type and checked before anything is touched.
/// Memory beyond the state: 32 MiB, 1 KiB a tensor, the keys of maps, the values that user code restores from; where an older version
/// of the type was saved, a second state, and arrays move. Throws as `load`;
/// and partly_restored where the file, once verified, could not be read a second time: only then has `state` been changed.
template <class T, Source S>
load_report restore(T& state, const S& source, const load_options& options = {}) {
  static_assert(!std::is_const_v<T>, "tidemark: restore changes its target, and this one is const");
  detail::require_restorable<std::remove_const_t<T>>();
  if constexpr (Restorable<T>) return detail::reading("restore", detail::source_of(source), options, 2, [&](detail::archive_reader& reader, detail::progress_meter& meter) {
    auto from = reader.require_schema<T>();
    if (!from.steps.empty()) {
      detail::restore_aside(state, [&](auto& fresh) { detail::read_evolved(fresh, reader, from, options.threads, meter); });
    } else {
      detail::require_state_fits(reader, state);
      detail::decode_state<T>(reader, nullptr);
      reader.run_deferred(options.threads, meter);
      reader.require_all_claimed();
      detail::second_pass(meter, [&] {
        detail::decode_state(reader, std::addressof(state));
        reader.run_deferred(options.threads, meter);
      });
    }
    return std::move(from.steps);
  });
}

/// Compares every byte of an archive with its digest; of a file of another writer, only its structure can be checked, and the
/// report says so. Throws `error` at the first damage. Memory: a MiB a thread. Linear time.
template <Source S>
load_report verify(const S& source, const load_options& options = {}) {
  return detail::verify_archive(detail::source_of(source), options);
}

namespace detail {

template <class P>
concept SourcePath = !Source<P> && std::is_constructible_v<file_source, const P&>;

/// The file at `path`; where it cannot be opened, the error says what for.
file_source open_source(const char* action, const std::string& path);

}  // namespace detail

/// The same of the file at `path`. It may be replaced meanwhile: the file that was opened is the one that is read.
template <class T, detail::SourcePath Path>
[[nodiscard]] T load(const Path& path, const load_options& options = {}) {
  return load<T>(detail::open_source("load", detail::path_text(path)), options);
}
template <class T, detail::SourcePath Path>
load_report restore(T& state, const Path& path, const load_options& options = {}) {
  return restore(state, detail::open_source("restore", detail::path_text(path)), options);
}
template <detail::SourcePath Path>
load_report verify(const Path& path, const load_options& options = {}) {
  return verify(detail::open_source("verify", detail::path_text(path)), options);
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/load.ipp>
#endif
#endif
