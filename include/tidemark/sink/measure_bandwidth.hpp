// SPDX-License-Identifier: BSL-1.0
// sink/measure_bandwidth.hpp: how many bytes a second the disk of a folder takes and syncs, by trying (floor: sink).
#ifndef TIDEMARK_SINK_MEASURE_BANDWIDTH_HPP
#define TIDEMARK_SINK_MEASURE_BANDWIDTH_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_output.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/staging_name.hpp>
#include <tidemark/sink/system_error.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// Writes `bytes` as a save does, waits until they are on the disk, and returns bytes a second. The file has its name only until it is
/// open, so that
/// not even a kill leaves it there.
///
/// It takes as long as a save of that size, and the space. Other programs and the disk's own cache make it differ from one time to the
/// next: measure
/// with about the size of the state. Throws `not_found` (no folder), `no_space`, `io`; `invalid_value` for 0 bytes.
template <detail::PathLike P, class Ops = file_ops>
double measure_bandwidth(const P& folder, std::uint64_t bytes = std::uint64_t{256} << 20, Ops ops = {}) {
  const std::string path = detail::path_text(folder);
  detail::refuse_unusable_path(path);
  if (bytes == 0) throw error({.code = errc::invalid_value, .file = path, .problem = "no speed can be measured with 0 bytes"});
  const detail::descriptor<Ops> opened = detail::open_folder(ops, AT_FDCWD, path, path);
  const std::string name = detail::staging_name(ops, "bandwidth", path);
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int number = detail::retry_interrupted([&] { return ops.openat(opened.get(), name.c_str(), flags, 0600); });
  if (number < 0) detail::throw_save_errno(errno, path, "no file to measure with could be created in this folder", bytes);
  detail::descriptor<Ops> file(ops, number);
  if (detail::retry_interrupted([&] { return ops.unlinkat(opened.get(), name.c_str(), 0); }) < 0) {
    detail::throw_errno(
        errno, {.file = path + '/' + name, .problem = "the file to measure with could not be removed", .advice = "Remove it by hand."});
  }

  std::vector<std::byte> piece(std::size_t{1} << 20);
  std::uint64_t state = 1;
  for (std::byte& b : piece) {  // no filesystem compresses it
    state = state * 6364136223846793005u + 1442695040888963407u;
    b = static_cast<std::byte>(state >> 56);
  }
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  detail::file_output<Ops> output(std::move(file), path, bytes, true);
  output.reserve();
  for (std::uint64_t left = bytes; left > 0;) {
    const auto part = static_cast<std::size_t>((std::min)(left, std::uint64_t{piece.size()}));
    output.write(std::span(piece).first(part));
    left -= part;
  }
  output.finish();
  output.sync();
  const double seconds = (std::max)(std::chrono::duration<double>(clock::now() - began).count(), 1e-9);
  output.close();
  return static_cast<double>(bytes) / seconds;
}

}  // namespace tidemark
#endif
