// SPDX-License-Identifier: BSL-1.0
// store/checkpoint_source.hpp: whatever lies at a path as one source: a file, a compressed one, or a folder of shards (floor: store).
#ifndef TIDEMARK_STORE_CHECKPOINT_SOURCE_HPP
#define TIDEMARK_STORE_CHECKPOINT_SOURCE_HPP

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/store/sharded_source.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// For programs that take a path and leave it to the user how the checkpoint was saved. `read` may be called by several threads at once.
template <class Ops>
class basic_checkpoint_source {
 public:
  /// `unwrap` is for what was compressed; what was not opens all the same. Throws `error`: as file_source and sharded_source.
  template <detail::PathLike P>
  explicit basic_checkpoint_source(const P& path, const compression& unwrap = {}, Ops ops = {}) : basic_checkpoint_source(opened(detail::path_text(path), unwrap, ops)) {}

  std::uint64_t size() const { return source_.size(); }
  std::string name() const { return source_.name(); }
  void read(std::uint64_t offset, std::span<std::byte> into) const { source_.read(offset, into); }
  const std::vector<detail::source_part>& parts() const noexcept { return parts_; }

 private:
  basic_checkpoint_source(any_source source, std::vector<detail::source_part> parts) : source_(std::move(source)), parts_(std::move(parts)) {}

  static basic_checkpoint_source opened(const std::string& path, const compression& unwrap, const Ops& ops) {
    struct stat status;
    detail::refuse_unusable_path(path);
    if (detail::retry_interrupted([&] { return ops.fstatat(AT_FDCWD, path.c_str(), &status, 0); }) == 0 && S_ISDIR(status.st_mode)) {
      basic_sharded_source<Ops> shards(path, unwrap, ops);
      auto parts = shards.parts();
      return {any_source(std::move(shards)), std::move(parts)};
    }
    any_source file{basic_file_source<Ops>(path, ops)};
    if (unwrap.unwrap && path.ends_with(unwrap.suffix)) {
      file = unwrap.unwrap(std::move(file));
    } else if (path.ends_with(".safetensors.zst")) {
      throw error({.code = errc::unsupported, .file = path, .problem = "the checkpoint is compressed",
                   .advice = "Give the compression that it was saved with: tidemark::zstd_compression()."});
    }
    return {std::move(file), {}};
  }

  any_source source_;
  std::vector<detail::source_part> parts_;
};

using checkpoint_source = basic_checkpoint_source<file_ops>;

}  // namespace tidemark
#endif
