// SPDX-License-Identifier: BSL-1.0
// sink/folder_listing.hpp: the names in an open folder, and what each of them is (floor: sink).
#ifndef TIDEMARK_SINK_FOLDER_LISTING_HPP
#define TIDEMARK_SINK_FOLDER_LISTING_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/descriptor.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/system_error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>

namespace tidemark::detail {

enum class entry_kind : std::uint8_t { file, folder, link, other };

struct folder_entry {
  std::string name;  ///< bytes, as the filesystem has them: perhaps no UTF-8, never with a slash
  entry_kind kind = entry_kind::other;

  friend bool operator==(const folder_entry&, const folder_entry&) = default;
};

/// Of a mode, where the filesystem does not tell the kind with the name.
constexpr entry_kind kind_of_mode(mode_t mode) noexcept {
  return S_ISREG(mode) ? entry_kind::file : S_ISDIR(mode) ? entry_kind::folder : S_ISLNK(mode) ? entry_kind::link : entry_kind::other;
}

/// The kind of `name` in `folder`, a link not followed; nothing where the name is gone.
template <class Ops>
std::optional<entry_kind> look_at_entry(const descriptor<Ops>& folder, const std::string& name, const std::string& path) {
  struct stat status;
  const int result = retry_interrupted([&] { return folder.ops().fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW); });
  if (result == 0) return kind_of_mode(status.st_mode);
  if (errno == ENOENT) return std::nullopt;
  throw_errno(errno, {.file = path, .problem = "the system does not tell what \"" + shown(name) + "\" in this folder is"});
}

/// Every entry of `folder` but "." and "..", in the order of the filesystem, which is none. `path` names the folder in messages.
///
/// Reads from the first entry each time, through a descriptor of its own, so that two readers of one folder do not disturb each other.
/// What others add or remove meanwhile is in the list or not. Throws `io`, `not_found` (the folder was removed). Linear in the number of
/// entries; 32 KiB of stack.
template <class Ops>
std::vector<folder_entry> entry_names(const descriptor<Ops>& folder, const std::string& path) {
  constexpr std::size_t length_at = 16, kind_at = 18, name_at = 19;  // in a linux_dirent64
  const Ops& ops = folder.ops();
  const int number = retry_interrupted([&] { return ops.openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
  if (number < 0) throw_errno(errno, {.file = path, .problem = "the folder could not be opened to list it"});
  const descriptor<Ops> reader(ops, number);
  std::vector<folder_entry> entries;
  std::array<char, 32768> buffer;
  for (;;) {
    const ssize_t got = retry_interrupted([&] { return ops.getdents(reader.get(), buffer.data(), buffer.size()); });
    if (got < 0) throw_errno(errno, {.file = path, .problem = "the names in this folder could not be read"});
    if (got == 0) return entries;
    std::string_view records(buffer.data(), static_cast<std::size_t>(got));
    while (!records.empty()) {
      std::uint16_t length = 0;
      if (records.size() > name_at) std::memcpy(&length, records.data() + length_at, sizeof length);
      if (length <= name_at || length > records.size()) {
        throw error({.code = errc::io, .file = path, .problem = "the system lists the names in this folder in a form that cannot be read"});
      }
      std::string_view name = records.substr(name_at, length - name_at);
      name = name.substr(0, name.find('\0'));
      const unsigned type = static_cast<unsigned char>(records[kind_at]);
      records.remove_prefix(length);
      if (name == "." || name == "..") continue;
      folder_entry entry{std::string(name)};
      if (type == DT_UNKNOWN) {
        const auto kind = look_at_entry(folder, entry.name, path);
        if (!kind) continue;
        entry.kind = *kind;
      } else {
        entry.kind = kind_of_mode(static_cast<mode_t>(DTTOIF(type)));
      }
      entries.push_back(std::move(entry));
    }
  }
}

}  // namespace tidemark::detail
#endif
