// SPDX-License-Identifier: BSL-1.0
// store/load.hpp: a state back from a file or any other source: as a new object, in place, or only verified (floor: store).
#ifndef TIDEMARK_STORE_LOAD_HPP
#define TIDEMARK_STORE_LOAD_HPP

#include <tidemark/archive/evolve.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/store/archive_reader.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/task_threads.hpp>

#include <exception>
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

/// Runs `read(reader, meter)` on an opened archive and reports.
template <class S, class Read>
load_report reading(const char* action, const S& source, const load_options& options, int passes, Read&& read) {
  return doing(action, [&] { return std::string(source.name()); }, [&] {
    const stopwatch watch;
    archive_reader reader{source_ref(source)};
    progress_meter meter(options.progress, reader.data_bytes() * static_cast<unsigned>(passes));
    load_report report;
    report.evolution = read(reader, meter);
    meter.finish();
    reader.fill(report);
    report.seconds = watch.seconds();
    if (options.report != nullptr) *options.report = report;
    return report;
  });
}

/// Reads an older version into a fresh `state`.
template <class T>
void read_evolved(T& state, archive_reader& reader, const stored_evolution& from, unsigned threads, progress_meter& meter) {
  decoder<archive_reader> at{reader, walk_name(from.file.kind == kind::record)};
  evolve(at, schema_of<T>(), from.file, state);
  reader.defer_check_of_unclaimed();
  reader.run_deferred(threads, meter);
}

/// The second pass of a restore: the file was whole a moment ago, so a failure here is of another kind.
template <class F>
void second_pass(F&& f) {
  const auto fail = [&](std::string why, bool is_outside = false) {
    throw error({.code = errc::partly_restored,
                 .problem = "the file was verified, then reading it again failed; the state now holds a mixture of old and new values (" + std::move(why) + ")",
                 .advice = "Restore again, from this or an older checkpoint, before the state is used.",
                 .is_outside = is_outside});
  };
  try {
    std::forward<F>(f)();
  } catch (const error& e) {
    fail(e.what(), e.is_outside());
  } catch (const std::exception& e) {
    fail(e.what());
  } catch (...) {
    fail("an exception of another type");
  }
}

/// An older version is read aside, whole, by `read(fresh)`, before `state` is touched: a member that is new needs its default.
template <class T, class Read>
void restore_aside(T& state, Read&& read) {
  if constexpr (!Checkpointable<T>) {
    throw error({.code = errc::unsupported, .problem = "it was saved by an older version of the type, which is read into a fresh object, and the type holds memory of the program (array_ref, span)",
                 .advice = "Load the older version as a type that owns its arrays, and copy."});
  } else if constexpr (std::is_default_constructible_v<T>) {
    T fresh{};
    require_same_constants<T>(state, fresh);
    read(fresh);
    move_state(state, fresh);
  } else {
    throw error({.code = errc::unsupported, .problem = "it was saved by an older version of the type, which is read into a fresh object, and the type has no default constructor",
                 .advice = "Give it one, or load it with the program that saved it."});
  }
}

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
    T state{};
    detail::reading("load", source, options, 1, [&](detail::archive_reader& reader, detail::progress_meter& meter) {
      auto from = reader.require_schema<T>();
      if (!from.steps.empty()) {
        detail::read_evolved(state, reader, from, detail::threads_or_default(options.threads), meter);
      } else {
        detail::decode_state(reader, &state);
        reader.run_deferred(detail::threads_or_default(options.threads), meter);
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
  if constexpr (Restorable<T>) return detail::reading("restore", source, options, 2, [&](detail::archive_reader& reader, detail::progress_meter& meter) {
    auto from = reader.require_schema<T>();
    const unsigned threads = detail::threads_or_default(options.threads);
    if (!from.steps.empty()) {
      detail::restore_aside(state, [&](auto& fresh) { detail::read_evolved(fresh, reader, from, threads, meter); });
    } else {
      detail::require_state_fits(reader, state);
      detail::decode_state<T>(reader, nullptr);
      reader.run_deferred(threads, meter);
      reader.require_all_claimed();
      detail::second_pass([&] {
        detail::decode_state(reader, &state);
        reader.run_deferred(threads, meter);
        meter.finish();
      });
    }
    return std::move(from.steps);
  });
}

/// Compares every byte of an archive with its digest; of a file of another writer, only its structure can be checked, and the
/// report says so. Throws `error` at the first damage. Memory: a MiB a thread. Linear time.
template <Source S>
load_report verify(const S& source, const load_options& options = {}) {
  return detail::reading("verify", source, options, 1, [&](detail::archive_reader& reader, detail::progress_meter& meter) {
    if (reader.identity_entry()) static_cast<void>(detail::stored_schema(*reader.identity_entry()));
    reader.defer_check_of_all();
    reader.run_deferred(detail::threads_or_default(options.threads), meter);
    return std::vector<evolution_step>{};
  });
}

namespace detail {

template <class P>
concept SourcePath = !Source<P> && std::is_constructible_v<file_source, const P&>;

/// The file at `path`; where it cannot be opened, the error says what for.
template <SourcePath Path>
file_source opened(const char* action, const Path& path) {
  return doing(action, [] { return std::string{}; }, [&] { return file_source(path); });
}

}  // namespace detail

/// The same of the file at `path`. It may be replaced meanwhile: the file that was opened is the one that is read.
template <class T, detail::SourcePath Path>
[[nodiscard]] T load(const Path& path, const load_options& options = {}) {
  return load<T>(detail::opened("load", path), options);
}
template <class T, detail::SourcePath Path>
load_report restore(T& state, const Path& path, const load_options& options = {}) {
  return restore(state, detail::opened("restore", path), options);
}
template <detail::SourcePath Path>
load_report verify(const Path& path, const load_options& options = {}) {
  return verify(detail::opened("verify", path), options);
}

}  // namespace tidemark
#endif
