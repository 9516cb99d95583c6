// SPDX-License-Identifier: BSL-1.0
// store/sharded_source.hpp: a folder of shards as one archive to load from (floor: store).
#ifndef TIDEMARK_STORE_SHARDED_SOURCE_HPP
#define TIDEMARK_STORE_SHARDED_SOURCE_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/format/manifest.hpp>
#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/source_ref.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

/// What `sharded_directory` saved: `load`, `restore`, `verify` and `open` take it as they take a file. Opening reads the manifest, checks its
/// digest, opens every file that it lists, compares their sizes, and checks the files beside the shards whole; each shard is compared
/// with the manifest when its header is read. Names in the manifest are never followed out of the folder: anything but a flat name is
/// refused, and so are symbolic links, pipes and devices. Holds a descriptor a shard. `read` may be called by several threads at once.
template <class Ops>
class basic_sharded_source {
 public:
  /// Throws `error`: not_found (no folder, or no manifest in it: it was never finished, or is no checkpoint), corrupt, truncated,
  /// unsafe_path, newer_version, io.
  /// `unwrap` is needed for shards that were compressed, and only then.
  template <detail::PathLike P>
  explicit basic_sharded_source(const P& path, const compression& unwrap = {}, Ops ops = {}) : path_(detail::path_text(path)) {
    detail::doing("open", [&] { return path_; }, [&] { open(unwrap, std::move(ops)); });
  }

  std::uint64_t size() const noexcept { return parts_.back().start + parts_.back().bytes; }
  std::string name() const { return path_; }

  /// The shards one behind the other, as if they were one file.
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > size() || into.size() > size() - offset) {
      throw error({.code = errc::truncated, .file = path_, .problem = "the shards end too early", .expected = std::to_string(into.size()) + " bytes at offset " + std::to_string(offset), .found = "the end at " + std::to_string(size())});
    }
    auto at = std::prev(std::upper_bound(parts_.begin(), parts_.end(), offset, [](std::uint64_t o, const detail::source_part& part) { return o < part.start; }));
    while (!into.empty()) {
      const std::uint64_t inside = offset - at->start;
      const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), at->bytes - inside));
      files_[static_cast<std::size_t>(at - parts_.begin())].read(inside, into.first(piece));
      into = into.subspan(piece);
      offset += piece;
      ++at;
    }
  }

  const std::vector<detail::source_part>& parts() const noexcept { return parts_; }

 private:
  using file = basic_file_source<Ops>;

  void open(const compression& unwrap, Ops ops) {
    detail::refuse_unusable_path(path_);
    const int number = detail::retry_interrupted([&] { return ops.openat(AT_FDCWD, path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (number < 0) {
      detail::throw_errno(errno, {.problem = errno == ENOTDIR ? "this is no folder" : "the folder could not be opened",
                                  .advice = errno == ENOTDIR ? "A single file is loaded by its path, without sharded_source." : "Check the path."});
    }
    const detail::descriptor<Ops> folder(ops, number);
    const std::vector<detail::manifest_entry> manifest = manifest_in(folder);
    std::uint64_t start = 0;
    for (const detail::manifest_entry& entry : manifest) {
      file opened = open_in(folder, entry.name);
      if (opened.size() != entry.bytes) {
        throw error({.code = opened.size() < entry.bytes ? errc::truncated : errc::corrupt, .file = opened.name(), .problem = "the file has another size than the manifest says",
                     .expected = std::to_string(entry.bytes) + " bytes", .found = std::to_string(opened.size()), .advice = "It was changed after it was committed. Take an older checkpoint."});
      }
      if (!entry.is_shard) {
        const std::string found = to_hex(digest_of(opened));
        if (found != entry.digest) {
          throw error({.code = errc::corrupt, .file = opened.name(), .problem = "the file does not match its digest in the manifest", .expected = entry.digest, .found = found,
                       .advice = "It was changed after it was committed. Take an older checkpoint."});
        }
        continue;
      }
      const std::string name = opened.name();
      any_source shard(std::move(opened));
      if (!entry.name.ends_with(".safetensors")) shard = decompressed(std::move(shard), entry.name, unwrap);
      const std::uint64_t bytes = shard.size();
      if (bytes == 0 || bytes > UINT64_MAX - start) throw error({.code = errc::corrupt, .file = name, .problem = "no shard has that size"});
      parts_.push_back({name, start, bytes, entry.digest});
      files_.push_back(std::move(shard));
      start += bytes;
    }
  }

  static any_source decompressed(any_source shard, const std::string& name, const compression& unwrap) {
    if (!unwrap.unwrap || !name.ends_with(".safetensors" + unwrap.suffix)) {
      throw error({.code = errc::unsupported, .file = shard.name(), .problem = "the shard is compressed, or no safetensors file",
                   .advice = "Give the compression that it was saved with: sharded_source{path, tidemark::zstd_compression()}."});
    }
    return unwrap.unwrap(std::move(shard));
  }

  file open_in(const detail::descriptor<Ops>& folder, const std::string& name) const {
    return detail::amending([&] { return file(folder, name, path_ + '/' + name); }, [&](error_details& details) {
      if (details.code != errc::not_found) return;
      if (name == detail::manifest_name) {
        details.problem = "there is no manifest in this folder";
        details.file = path_;
        details.advice = "It is no sharded checkpoint, or one whose save was never finished.";
      } else {
        details.problem = "the manifest lists this file, and it is not there";
        details.advice = "It was removed after it was committed. Bring it back, or take an older checkpoint.";
      }
    });
  }

  std::vector<detail::manifest_entry> manifest_in(const detail::descriptor<Ops>& folder) const {
    const file from = open_in(folder, std::string(detail::manifest_name));
    if (from.size() > detail::max_manifest_bytes) {
      throw error({.code = errc::limit, .file = from.name(), .problem = "the file is too long", .expected = std::to_string(detail::max_manifest_bytes) + " bytes at most", .found = std::to_string(from.size())});
    }
    return detail::amending([&] { return detail::parse_manifest(detail::first_bytes(from, detail::max_manifest_bytes)); },
                            [&](error_details& details) { details.file = from.name(); });
  }

  static digest128 digest_of(const file& from) {
    detail::hasher hash;
    detail::hash_bytes(hash, from, 0, from.size());
    return hash.finish();
  }

  std::string path_;
  std::vector<detail::source_part> parts_;
  std::vector<any_source> files_;
};

using sharded_source = basic_sharded_source<file_ops>;

}  // namespace tidemark
#endif
