// SPDX-License-Identifier: BSL-1.0
// sink/file_facts.hpp: how large something in a folder is, and how long ago it was written (floor: sink).
#ifndef TIDEMARK_SINK_FILE_FACTS_HPP
#define TIDEMARK_SINK_FILE_FACTS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/folder_listing.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace tidemark::detail {

struct file_facts {
  std::uint64_t bytes = 0;   ///< of a folder: of the files directly in it
  double age_seconds = 0;    ///< since the last write to it, by the clock of the system, which may have been set meanwhile; never negative
};

/// Of what is gone: nothing. Links are not followed.
template <class Ops>
file_facts facts_of(const descriptor<Ops>& folder, const std::string& name, entry_kind kind) {
  struct stat status;
  file_facts facts;
  if (retry_interrupted([&] { return folder.ops().fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW); }) < 0) return facts;
  const auto written = std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  const std::chrono::duration<double> age = std::chrono::system_clock::now().time_since_epoch() - written;
  facts.age_seconds = (std::max)(0.0, age.count());
  if (kind == entry_kind::file) facts.bytes = static_cast<std::uint64_t>(status.st_size);
  if (kind != entry_kind::folder) return facts;
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const descriptor<Ops> inner(folder.ops(), retry_interrupted([&] { return folder.ops().openat(folder.get(), name.c_str(), flags, 0); }));
  if (!inner.is_open()) return facts;
  for (const folder_entry& entry : entry_names(inner, name)) {
    if (entry.kind == entry_kind::file) facts.bytes += facts_of(inner, entry.name, entry.kind).bytes;
  }
  return facts;
}

}  // namespace tidemark::detail
#endif
