// SPDX-License-Identifier: BSL-1.0
// store/load.ipp: the definitions of load.hpp (floor: store).
#ifndef TIDEMARK_STORE_LOAD_IPP
#define TIDEMARK_STORE_LOAD_IPP

#include <tidemark/store/load.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/progress_meter.hpp>
#include <tidemark/store/stopwatch.hpp>

#include <exception>
#include <string>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE source_ref source_of(const file_source& source) { return source_ref(source); }

TIDEMARK_DETAIL_INLINE load_report reading(const char* action, const source_ref& source, const load_options& options, int passes,
                                           function_ref<std::vector<evolution_step>(archive_reader&, progress_meter&)> read) {
  return doing(action, [&] { return source.name(); }, [&] {
    const stopwatch watch;
    archive_reader reader{source};
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

TIDEMARK_DETAIL_INLINE void second_pass(function_ref<void()> pass) {
  const auto fail = [&](std::string why, bool is_outside = false) {
    throw error({.code = errc::partly_restored,
                 .problem = "the file was verified, then reading it again failed; the state now holds a mixture of old and new values (" + std::move(why) + ")",
                 .advice = "Restore again, from this or an older checkpoint, before the state is used.",
                 .is_outside = is_outside});
  };
  try {
    pass();
  } catch (const error& e) {
    fail(e.what(), e.is_outside());
  } catch (const std::exception& e) {
    fail(e.what());
  } catch (...) {
    fail("an exception of another type");
  }
}

TIDEMARK_DETAIL_INLINE void second_pass(progress_meter& meter, function_ref<void()> pass) {
  second_pass([&] {
    pass();
    meter.finish();
  });
}

TIDEMARK_DETAIL_INLINE void fail_to_read_aside(const char* reason, const char* advice) {
  throw error({.code = errc::unsupported,
               .problem = std::string("it was saved by an older version of the type, which is read into a fresh object, and the type ") + reason,
               .advice = advice});
}

TIDEMARK_DETAIL_INLINE load_report verify_archive(const source_ref& source, const load_options& options) {
  return reading("verify", source, options, 1, [&](archive_reader& reader, progress_meter& meter) {
    if (reader.identity_entry()) static_cast<void>(stored_schema(*reader.identity_entry()));
    reader.defer_check_of_all();
    reader.run_deferred(options.threads, meter);
    return std::vector<evolution_step>{};
  });
}

TIDEMARK_DETAIL_INLINE file_source open_source(const char* action, const std::string& path) {
  return doing(action, [] { return std::string{}; }, [&] { return file_source(path); });
}

}  // namespace tidemark::detail
#endif
