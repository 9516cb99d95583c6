// SPDX-License-Identifier: BSL-1.0
// store/save.ipp: the definitions of save.hpp (floor: store).
#ifndef TIDEMARK_STORE_SAVE_IPP
#define TIDEMARK_STORE_SAVE_IPP

#include <tidemark/store/save.hpp>

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/progress_meter.hpp>
#include <tidemark/store/stopwatch.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE metadata_list full_metadata(const std::string& identity, const metadata_list& extra, std::size_t own) {
  if (extra.size() > max_metadata - own) {
    throw error({.code = errc::limit, .problem = std::to_string(extra.size()) + " metadata entries", .expected = "at most " + std::to_string(max_metadata - own),
                 .advice = "Put the values into the state."});
  }
  metadata_list all;
  all.reserve(extra.size() + own);
  all.emplace_back("format", "pt");
  all.emplace_back(identity_key, identity);
  for (const auto& entry : extra) {
    for (const auto& [key, value] : all) {
      if (key == entry.first || entry.first.starts_with("tidemark.")) {
        throw error({.code = errc::unsupported, .problem = "the metadata key \"" + entry.first + "\" is given twice, or is the library's own", .advice = "Give each entry a key of its own; \"format\" and \"tidemark\" are the library's."});
      }
    }
    for (const std::string* text : {&entry.first, &entry.second}) {
      if (utf8_prefix(*text) != text->size()) {
        throw error({.code = errc::unsupported, .problem = "the metadata entry \"" + entry.first + "\" is not UTF-8", .advice = "Encode it, in hexadecimal for instance."});
      }
    }
    all.push_back(entry);
  }
  return all;
}

TIDEMARK_DETAIL_INLINE void write_pieces(archive_layout& layout, function_ref<void(bytes_view)> write, const progress_callback& progress, const cancellation& cancel) {
  progress_meter meter(progress, layout.bytes());
  layout.write([&](bytes_view piece) {
    cancel.check();
    write(piece);
  }, meter);
  cancel.check();
}

TIDEMARK_DETAIL_INLINE save_report saving(const char* action, function_ref<std::string()> sink, function_ref<save_report()> save) {
  return doing(action, sink, [&] {
    const stopwatch watch;
    save_report report = save();
    report.seconds = watch.seconds();
    return report;
  });
}

#ifdef TIDEMARK_COMPILED
template save_report write_archive(plan_view plan, const std::string& identity, atomic_file& sink, const save_options& options);
#endif

}  // namespace tidemark::detail
#endif
