// SPDX-License-Identifier: BSL-1.0
// run/run_folder.hpp: the folder of a run: its checkpoints, what an interrupted save left there, and how one is removed (floor: run).
#ifndef TIDEMARK_RUN_RUN_FOLDER_HPP
#define TIDEMARK_RUN_RUN_FOLDER_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/format/manifest.hpp>
#include <tidemark/format/shard_index.hpp>
#include <tidemark/run/checkpoint_name.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/folder_listing.hpp>
#include <tidemark/sink/folder_sync.hpp>
#include <tidemark/sink/staging_name.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// A checkpoint by its name; whether it can be read is not known yet.
struct listed_checkpoint {
  checkpoint_name name;
  std::string file;  ///< in the run's folder
  bool is_folder = false;
};

/// Whether a save gives a name that ends so: plain, by the zstd component (also where it was not given this time: its files must not look
/// like nobody's), or by the compression that was given. Anything else, such as a copy that ends in ".bak", is somebody's own.
bool is_checkpoint_suffix(std::string_view suffix, std::string_view compressed) noexcept;

/// Whether a name in the run's folder is that of a checkpoint of ours. `compressed` is the suffix of the compression that was given.
std::optional<listed_checkpoint> as_checkpoint(const folder_entry& entry, std::string_view compressed = {});

/// Whether a save of ours gives this name to a file inside a sharded checkpoint.
bool is_shard_folder_name(std::string_view name) noexcept;

inline constexpr const char* latest_name = "latest";
inline constexpr const char* pinned_name = "pinned";
inline constexpr std::string_view trash_prefix = ".trash.";

bool is_trash_name(std::string_view name) noexcept;

/// An open folder; every name is taken relative to it.
template <class Ops>
class run_folder {
 public:
  /// Opens the folder, and creates it where it is missing and `creates`.
  run_folder(const Ops& ops, std::string path, bool creates, std::string compressed = {}) : path_(std::move(path)), compressed_(std::move(compressed)), folder_(ops) {
    refuse_unusable_path(path_);
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    if (creates) create();
    const int number = retry_interrupted([&] { return ops.openat(AT_FDCWD, path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (number < 0) throw_errno(errno, {.file = path_, .problem = "the folder of the run could not be opened", .advice = errno == ENOENT ? "Check the path." : ""});
    folder_ = descriptor<Ops>(ops, number);
  }

  const std::string& path() const noexcept { return path_; }
  std::string path_of(const std::string& name) const { return path_ + '/' + name; }
  const descriptor<Ops>& folder() const noexcept { return folder_; }
  std::vector<folder_entry> entries() const { return entry_names(folder_, path_); }
  std::optional<listed_checkpoint> as_checkpoint(const folder_entry& entry) const { return detail::as_checkpoint(entry, compressed_); }
  /// Whether there is anything of this name, also a link that leads nowhere.
  bool holds(const std::string& name) const { return look_at_entry(folder_, name, path_).has_value(); }

  /// Each save opens the folder by its path. Where another lies there by now it would go into that one, which is not locked, and the old
  /// checkpoints of this one would go for it. Throws `error`: not_found where the path does not lead here any more.
  void require_in_place() const {
    struct stat here, there;
    if (retry_interrupted([&] { return ops().fstat(folder_.get(), &here); }) < 0) throw_errno(errno, {.file = path_, .problem = "the system does not tell which folder is open"});
    const bool is_there = retry_interrupted([&] { return ops().fstatat(AT_FDCWD, path_.c_str(), &there, 0); }) == 0;
    const int problem = is_there ? 0 : errno;
    if (!is_there && problem != ENOENT && problem != ENOTDIR) throw_errno(problem, {.file = path_, .problem = "the system does not tell what lies at the path of the run's folder"});
    if (is_there && here.st_dev == there.st_dev && here.st_ino == there.st_ino) return;
    throw error({.code = errc::not_found, .file = path_,
                 .problem = is_there ? "another folder lies here than the one that the run has opened" : "the folder of the run was removed or moved away",
                 .advice = "Nothing is removed in either. Put the run's folder back, or make a new checkpointer for this path.", .system = problem});
  }

  /// In the order of their saving, the oldest first.
  std::vector<listed_checkpoint> checkpoints() const {
    std::vector<listed_checkpoint> found;
    for (const folder_entry& entry : entries()) {
      if (auto checkpoint = as_checkpoint(entry)) found.push_back(std::move(*checkpoint));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
  }

  /// Removes what interrupted saves and removals left. Only under the lock of the writer: another's save would lose its files.
  /// What cannot be removed stays, for the next time.
  void sweep() const {
    for (const folder_entry& entry : entries()) {
      if (is_trash_name(entry.name) || is_own_staging(entry)) dispose(entry.name, entry.kind == entry_kind::folder);
    }
  }

  /// The same of the save of one checkpoint, whose process has ended without removing it.
  void sweep(const checkpoint_name& of) const {
    for (const folder_entry& entry : entries()) {
      if (staging_of(entry) == of) dispose(entry.name, entry.kind == entry_kind::folder);
    }
  }

  /// Takes a checkpoint away in one step, makes that durable, then frees its space: a kill in between leaves it whole or gone.
  /// False, and nothing is changed, where its folder holds anything that its manifest does not list. Throws `error`.
  bool remove(const listed_checkpoint& checkpoint) const {
    const auto kind = look_at_entry(folder_, checkpoint.file, path_);
    // Gone, or something of somebody's own has taken its place: a link to where he has moved it.
    if (kind != (checkpoint.is_folder ? entry_kind::folder : entry_kind::file)) return true;
    if (checkpoint.is_folder && !holds_only_ours(checkpoint.file)) return false;
    const std::string trash = std::string(trash_prefix) + random_digits(ops(), path_);
    const int moved = retry_interrupted([&] { return ops().renameat(folder_.get(), checkpoint.file.c_str(), folder_.get(), trash.c_str()); });
    if (moved < 0 && errno == ENOENT) return true;
    if (moved < 0) throw_errno(errno, {.file = path_of(checkpoint.file), .problem = "the old checkpoint could not be moved away"});
    sync();
    dispose(trash, checkpoint.is_folder);
    return true;
  }

  void sync() const {
    if (sync_folder(folder_) < 0) throw_errno(errno, {.file = path_, .problem = "the folder could not be flushed to the disk"});
  }

  /// Puts on the disk what lies there already: whoever wrote it may not have waited for that. Throws `error`.
  void make_durable(const std::string& name) const {
    const auto fail = [&](int number) { throw_errno(number, {.file = path_of(name), .problem = "the checkpoint could not be flushed to the disk"}); };
    const auto flush = [&](const descriptor<Ops>& in, const std::string& entry) {
      descriptor<Ops> at(ops(), retry_interrupted([&] { return ops().openat(in.get(), entry.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0); }));
      if (!at.is_open() || retry_interrupted([&] { return ops().fsync(at.get()); }) < 0) fail(errno);
      return at;
    };
    const auto kind = look_at_entry(folder_, name, path_);
    const descriptor<Ops> at = flush(folder_, name);
    if (kind == entry_kind::folder) {
      for (const folder_entry& entry : entry_names(at, path_of(name))) flush(at, entry.name);
      if (sync_folder(at) < 0) fail(errno);
    }
    sync();
  }

  /// Bytes that may be written here; nothing where the system does not say.
  std::optional<std::uint64_t> free_bytes() const {
    struct statvfs space;
    if (retry_interrupted([&] { return ops().fstatvfs(folder_.get(), &space); }) < 0) return std::nullopt;
    if (space.f_blocks == 0) return std::nullopt;  // so do FUSE filesystems that do not count
    const auto block = static_cast<std::uint64_t>(space.f_frsize != 0 ? space.f_frsize : space.f_bsize);
    return space.f_bavail > UINT64_MAX / (block + 1) ? UINT64_MAX : static_cast<std::uint64_t>(space.f_bavail) * block;
  }

  /// Throws `error`: no_space where the system says that there is less.
  void require_space(std::uint64_t bytes) const {
    const auto free = free_bytes();
    if (!free || *free >= bytes) return;
    throw error({.code = errc::no_space, .problem = "there is not enough space for another checkpoint", .expected = std::to_string(bytes) + " bytes of space",
                 .found = std::to_string(*free), .advice = "Free some, or keep fewer checkpoints (keep_last). Those that are there are untouched."});
  }

 private:
  const Ops& ops() const noexcept { return folder_.ops(); }

  void create() {
    const Ops& calls = folder_.ops();
    const int made = retry_interrupted([&] { return calls.mkdirat(AT_FDCWD, path_.c_str(), 0777); });
    if (made < 0 && errno == EEXIST) return;
    if (made < 0) throw_errno(errno, {.file = path_, .problem = "the folder of the run could not be created"});
    const descriptor<Ops> parent = open_folder(calls, AT_FDCWD, split(path_).folder, path_);
    if (sync_folder(parent) < 0) throw_errno(errno, {.file = path_, .problem = "the folder that holds it could not be flushed to the disk"});
  }

  /// Of which checkpoint this is the unfinished save.
  std::optional<checkpoint_name> staging_of(const folder_entry& entry) const {
    if (!is_staging_name(entry.name)) return std::nullopt;
    const auto made = as_checkpoint({std::string(staging_base(entry.name)), entry.kind});
    return made ? std::optional(made->name) : std::nullopt;
  }

  bool is_own_staging(const folder_entry& entry) const {
    if (staging_of(entry)) return true;
    if (!is_staging_name(entry.name) || entry.kind != entry_kind::file) return false;
    return staging_base(entry.name) == latest_name || staging_base(entry.name) == pinned_name;
  }

  /// The names that the manifest of a sharded checkpoint lists, and its own; none where it cannot be read.
  std::set<std::string, std::less<>> listed_in(const descriptor<Ops>& inner, const std::string& path) const {
    std::set<std::string, std::less<>> names;
    try {
      const basic_file_source<Ops> file(inner, std::string(manifest_name), path + '/' + std::string(manifest_name));
      for (manifest_entry& entry : parse_manifest(first_bytes(file, max_manifest_bytes))) names.insert(std::move(entry.name));
      names.emplace(manifest_name);
    } catch (const error&) {
      names.clear();
    }
    return names;
  }

  bool holds_only_ours(const std::string& name) const {
    const descriptor<Ops> inner = open_folder(ops(), folder_.get(), name, path_of(name));
    const auto listed = listed_in(inner, path_of(name));
    const auto all = entry_names(inner, path_of(name));
    return std::all_of(all.begin(), all.end(), [&](const folder_entry& e) { return e.kind == entry_kind::file && listed.contains(e.name); });
  }

  /// As far as it goes: a file of somebody else's inside keeps its folder.
  void dispose(const std::string& name, bool is_folder) const noexcept {
    if (!is_folder) {
      retry_interrupted([&] { return ops().unlinkat(folder_.get(), name.c_str(), 0); });
      return;
    }
    try {
      constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
      const descriptor<Ops> inner(ops(), retry_interrupted([&] { return ops().openat(folder_.get(), name.c_str(), flags, 0); }));
      if (!inner.is_open()) return;
      const auto listed = listed_in(inner, path_of(name));
      for (const folder_entry& entry : entry_names(inner, path_of(name))) {
        const bool is_ours = is_shard_folder_name(entry.name) || listed.contains(entry.name);
        // The manifest goes last: it says what else is ours, should this be interrupted.
        if (is_ours && entry.name != manifest_name) retry_interrupted([&] { return ops().unlinkat(inner.get(), entry.name.c_str(), 0); });
      }
      retry_interrupted([&] { return ops().unlinkat(inner.get(), std::string(manifest_name).c_str(), 0); });
    } catch (const std::exception&) {
      return;
    }
    retry_interrupted([&] { return ops().unlinkat(folder_.get(), name.c_str(), AT_REMOVEDIR); });
  }

  std::string path_;
  std::string compressed_;  // the suffix
  descriptor<Ops> folder_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/run_folder.ipp>
#endif
#endif
