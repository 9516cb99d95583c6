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
#include <tidemark/sink/file_target.hpp>
#include <tidemark/sink/folder_listing.hpp>
#include <tidemark/sink/staging_name.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
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

/// Whether a name in the run's folder is that of a checkpoint of ours.
inline std::optional<listed_checkpoint> as_checkpoint(const folder_entry& entry) {
  const auto parsed = parse_checkpoint_name(entry.name);
  if (!parsed) return std::nullopt;
  const bool is_folder = entry.kind == entry_kind::folder;
  if (is_folder ? !parsed->suffix.empty() : entry.kind != entry_kind::file || !parsed->suffix.starts_with(".safetensors")) return std::nullopt;
  return listed_checkpoint{parsed->name, entry.name, is_folder};
}

/// Whether a save of ours gives this name to a file inside a sharded checkpoint.
inline bool is_shard_folder_name(std::string_view name) noexcept {
  return name == manifest_name || name == shard_index_name || (name.starts_with("model-") && is_flat_name(name)) || (name.ends_with("SUMS") && is_flat_name(name));
}

inline constexpr std::string_view trash_prefix = ".trash.";

inline bool is_trash_name(std::string_view name) noexcept {
  return name.size() == trash_prefix.size() + staging_digits && name.starts_with(trash_prefix) &&
         name.find_first_not_of("0123456789abcdef", trash_prefix.size()) == std::string_view::npos;
}

/// An open folder; every name is taken relative to it.
template <class Ops>
class run_folder {
 public:
  /// Opens the folder, and creates it where it is missing and `creates`.
  run_folder(const Ops& ops, std::string path, bool creates) : path_(std::move(path)), folder_(ops) {
    refuse_unusable_path(path_);
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    if (creates) create();
    const int number = retry_interrupted([&] { return ops.openat(AT_FDCWD, path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (number < 0) throw_errno(errno, {.file = path_, .problem = "the folder of the run could not be opened"});
    folder_ = descriptor<Ops>(ops, number);
  }

  const std::string& path() const noexcept { return path_; }
  std::string path_of(const std::string& name) const { return path_ + '/' + name; }
  const descriptor<Ops>& folder() const noexcept { return folder_; }
  std::vector<folder_entry> entries() const { return entry_names(folder_, path_); }

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

  /// Takes a checkpoint away in one step, makes that durable, then frees its space: a kill in between leaves it whole or gone.
  /// False, and nothing is changed, where its folder holds a file that no save of ours writes. Throws `error`.
  bool remove(const listed_checkpoint& checkpoint) const {
    if (checkpoint.is_folder && !holds_only_ours(checkpoint.file)) return false;
    const std::string trash = trash_name();
    const int moved = retry_interrupted([&] { return ops().renameat(folder_.get(), checkpoint.file.c_str(), folder_.get(), trash.c_str()); });
    if (moved < 0 && errno == ENOENT) return true;
    if (moved < 0) throw_errno(errno, {.file = path_of(checkpoint.file), .problem = "the old checkpoint could not be moved away"});
    sync();
    dispose(trash, checkpoint.is_folder);
    return true;
  }

  void sync() const {
    if (retry_interrupted([&] { return ops().fsync(folder_.get()); }) < 0) throw_errno(errno, {.file = path_, .problem = "the folder could not be flushed to the disk"});
  }

  /// Bytes that may be written here; nothing where the system does not say.
  std::optional<std::uint64_t> free_bytes() const {
    struct statvfs space;
    if (retry_interrupted([&] { return ops().fstatvfs(folder_.get(), &space); }) < 0) return std::nullopt;
    const auto block = static_cast<std::uint64_t>(space.f_frsize != 0 ? space.f_frsize : space.f_bsize);
    return space.f_bavail > UINT64_MAX / (block + 1) ? UINT64_MAX : static_cast<std::uint64_t>(space.f_bavail) * block;
  }

 private:
  const Ops& ops() const noexcept { return folder_.ops(); }

  void create() {
    const Ops& calls = folder_.ops();
    const int made = retry_interrupted([&] { return calls.mkdirat(AT_FDCWD, path_.c_str(), 0777); });
    if (made < 0 && errno == EEXIST) return;
    if (made < 0) throw_errno(errno, {.file = path_, .problem = "the folder of the run could not be created"});
    const descriptor<Ops> parent = open_folder(calls, AT_FDCWD, split(path_).folder, path_);
    if (retry_interrupted([&] { return calls.fsync(parent.get()); }) < 0) throw_errno(errno, {.file = path_, .problem = "the folder that holds it could not be flushed to the disk"});
  }

  static bool is_own_staging(const folder_entry& entry) {
    if (!is_staging_name(entry.name) || (entry.kind != entry_kind::file && entry.kind != entry_kind::folder)) return false;
    const std::string_view base = std::string_view(entry.name).substr(1, entry.name.size() - 1 - staging_infix.size() - staging_digits);
    return base == "latest" || base == "pinned" || parse_checkpoint_name(base).has_value();
  }

  std::string trash_name() const {
    // The digits of a staging name: random, so that no two removals meet.
    const std::string random = staging_name(ops(), "", path_);
    return std::string(trash_prefix) + random.substr(random.size() - staging_digits);
  }

  bool holds_only_ours(const std::string& name) const {
    const descriptor<Ops> inner = open_folder(ops(), folder_.get(), name, path_of(name));
    const auto all = entry_names(inner, path_of(name));
    return std::all_of(all.begin(), all.end(), [](const folder_entry& e) { return e.kind == entry_kind::file && is_shard_folder_name(e.name); });
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
      for (const folder_entry& entry : entry_names(inner, path_of(name))) {
        if (is_shard_folder_name(entry.name)) retry_interrupted([&] { return ops().unlinkat(inner.get(), entry.name.c_str(), 0); });
      }
    } catch (const error&) {
      return;
    }
    retry_interrupted([&] { return ops().unlinkat(folder_.get(), name.c_str(), AT_REMOVEDIR); });
  }

  std::string path_;
  descriptor<Ops> folder_;
};

}  // namespace tidemark::detail
#endif
