// SPDX-License-Identifier: BSL-1.0
// sink/process.hpp: what this process is in the middle of, where that forbids a fork (floor: sink).
#ifndef TIDEMARK_SINK_PROCESS_HPP
#define TIDEMARK_SINK_PROCESS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/folder_listing.hpp>

#include <array>
#include <string>
#include <string_view>

namespace tidemark::detail {

/// Whether the process has opened a GPU of NVIDIA's: a CUDA context keeps its device files open. No library of theirs is needed to see it.
template <class Ops>
bool has_open_gpu(const Ops& ops) {
  const descriptor<Ops> folder(ops, retry_interrupted([&] { return ops.openat(AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); }));
  if (!folder.is_open()) return false;
  for (const folder_entry& entry : entry_names(folder, "/proc/self/fd")) {
    std::array<char, 256> target;
    const ssize_t length = retry_interrupted([&] { return ops.readlinkat(folder.get(), entry.name.c_str(), target.data(), target.size()); });
    if (length > 0 && std::string_view(target.data(), static_cast<std::size_t>(length)).starts_with("/dev/nvidia")) return true;
  }
  return false;
}

/// Throws `error` (unsupported): what a child does with its parent's CUDA context is not defined.
template <class Ops>
void refuse_fork_beside_cuda(const Ops& ops) {
  if (!has_open_gpu(ops)) return;
  throw error({.code = errc::unsupported, .action = "save", .problem = "this process has a CUDA context, which does not survive a fork",
               .advice = "Use background::staged."});
}

}  // namespace tidemark::detail
#endif
