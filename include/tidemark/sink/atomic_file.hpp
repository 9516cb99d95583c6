// SPDX-License-Identifier: BSL-1.0
// sink/atomic_file.hpp: a file that has its old content or its new one, whatever happens in between (floor: sink).
#ifndef TIDEMARK_SINK_ATOMIC_FILE_HPP
#define TIDEMARK_SINK_ATOMIC_FILE_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_output.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/path.hpp>
#include <tidemark/sink/staging.hpp>
#include <tidemark/sink/system_error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tidemark {

/// What a save does about a file that is there already.
enum class file_mode : std::uint8_t {
  replace,     ///< puts the new file in its place, with the old one's permissions
  create_new,  ///< refuses with `exists`
};

struct atomic_file_options {
  file_mode mode = file_mode::replace;
  /// What a finished save survives. `process` and `none` sync nothing; all three are atomic for readers and for a kill.
  tidemark::durability durability = tidemark::durability::power;
  /// Whether a symbolic link at the path leads to the file that is replaced; else it is refused with `unsafe_path`.
  bool follow_symlink = false;
};

/// One save into a file. Destroyed without `commit`, or after a failure, it leaves what was there before and no temporary file.
template <class Ops>
class atomic_file_writer {
 public:
  atomic_file_writer(const std::string& path, const atomic_file_options& options, std::uint64_t total_bytes, const Ops& ops)
      : options_(options),
        staging_(detail::open_target(ops, path, options.follow_symlink)),
        output_(staging_.create(options.mode == file_mode::create_new, total_bytes), path, total_bytes, is_synced()) {
    if (options_.durability != durability::none) output_.reserve();
  }

  /// Appends. Throws `no_space` or `io`; the save is over then.
  void write(std::span<const std::byte> bytes) {
    require_open();
    try {
      output_.write(bytes);
    } catch (...) {
      abandon();
      throw;
    }
  }

  /// Makes the file visible under its name and returns the level of durability asked for, which it has reached.
  ///
  /// Cost at level `power`: one fsync of the file, one of its folder. Throws `no_space`, `io` or `exists` when nothing changed;
  /// `commit_unknown` when the new file is visible but may be lost by a power cut: do not delete the older checkpoint then.
  /// Protocol: docs/durability.md, "One file".
  durability commit() {
    require_open();
    try {
      output_.finish();
      if (is_synced()) output_.sync();
      if (staging_.is_named()) output_.close();
      staging_.publish(output_.file(), options_.mode == file_mode::create_new);
    } catch (...) {
      abandon();
      throw;
    }
    const int closed = output_.file().close();
    if (closed < 0 && errno != EINTR) staging_.fail_after_publishing(errno, "it could not be closed");
    if (is_synced()) staging_.sync_folder();
    staging_.release();
    return options_.durability;
  }

 private:
  bool is_synced() const noexcept { return options_.durability == durability::power; }

  void require_open() const {
    if (output_.is_open()) return;
    throw error(
        {.code = errc::unsupported, .file = staging_.path(), .problem = "this save is over, it was committed or has failed", .advice = "Open a new one."});
  }

  void abandon() noexcept {
    output_.file().close();
    staging_.release();
  }

  atomic_file_options options_;
  detail::staging<Ops> staging_;
  detail::file_output<Ops> output_;
};

/// A file as a sink: each save writes a new file beside the target and renames it when all is on disk.
///
///     tidemark::atomic_file{"run/last.safetensors"}
///     tidemark::atomic_file{path, {.mode = tidemark::file_mode::create_new, .durability = tidemark::durability::process}}
///
/// A value: it holds the path, and nothing is opened before `open`. Needs the right to create files in the folder, none on the old
/// file. The new file belongs to who saves and keeps the old one's permissions; other hard links and extended attributes stay with
/// the old one. Memory: 1 MiB at most. Descriptors: two while a save runs.
template <class Ops>
class basic_atomic_file {
 public:
  template <detail::PathLike P>
  explicit basic_atomic_file(const P& path, atomic_file_options options = {}, Ops ops = {})
      : path_(detail::path_text(path)), options_(options), ops_(std::move(ops)) {}

  /// Starts a save of about `total_bytes`, for which space is reserved; fewer or more may be written. Throws `not_found` (no folder),
  /// `exists`, `unsafe_path` (a link, folder, pipe or device at the path), `no_space` or `io`.
  atomic_file_writer<Ops> open(std::uint64_t total_bytes) const { return {path_, options_, total_bytes, ops_}; }

  std::string name() const { return path_; }
  const atomic_file_options& options() const noexcept { return options_; }

 private:
  std::string path_;
  atomic_file_options options_;
  [[no_unique_address]] Ops ops_;
};

using atomic_file = basic_atomic_file<file_ops>;

}  // namespace tidemark
#endif
