// SPDX-License-Identifier: BSL-1.0
// sink/folder_sync.hpp: makes the entries of a folder durable, and does not take a dead filesystem's word for it (floor: sink).
#ifndef TIDEMARK_SINK_FOLDER_SYNC_HPP
#define TIDEMARK_SINK_FOLDER_SYNC_HPP

#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>

#include <sys/stat.h>

namespace tidemark::detail {

/// 0, or -1 and errno. XFS answers the sync of a folder with success when its journal has failed (a disk error) and nothing can reach the
/// disk any more; looking at the folder is what it refuses then. Measured: tests/durability/godown.test.cpp.
template <class Ops>
int sync_folder(const descriptor<Ops>& folder) {
  if (retry_interrupted([&] { return folder.ops().fsync(folder.get()); }) < 0) return -1;
  struct stat status;
  return retry_interrupted([&] { return folder.ops().fstat(folder.get(), &status); });
}

}  // namespace tidemark::detail
#endif
