// SPDX-License-Identifier: BSL-1.0
// store/part.hpp: finds a part of an archive by its path: what type it has in the file, and where its tensors lie (floor: store).
#ifndef TIDEMARK_STORE_PART_HPP
#define TIDEMARK_STORE_PART_HPP

#include <tidemark/archive/evolve.hpp>
#include <tidemark/store/archive_reader.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::detail {

/// A part of an archive.
struct file_part {
  const schema* type;
  std::string name;                  ///< what the names of its tensors begin with
  std::vector<std::string> sides{};  ///< tensors that the way to it has used: sizes, keys, whether, which
};

/// Follows a path through the schema of a file and the names of its tensors at once. Keys, elements and values that are there are
/// recognised by their tensors' names, which the header's digest covers; only `#has` and `#index` are read, and verified.
class part_finder {
 public:
  /// `here`: the type that the part will be read into; it says whether an optional at the end of the path is meant, or what it holds.
  part_finder(archive_reader& reader, std::string_view path, const schema& here) : reader_(reader), here_(here), path_(path) {}

  /// Throws `error`: not_found, unsupported (a path into a column), corrupt.
  file_part find(const schema& root);

 private:
  using result = std::optional<file_part>;

  static std::string joined(const std::string& name, std::string_view step);

  /// The step at the start of `rest`, which begins with its dot: up to the next dot or '#'.
  static std::string_view step_of(std::string_view rest) noexcept;

  /// A number as `walk_name::element` writes it.
  static std::optional<std::uint64_t> index_of(std::string_view digits) noexcept;

  /// Of several ways to take a path, the one that leads furthest is explained.
  std::nullopt_t fail(std::string_view rest, errc code, std::string problem, std::string advice);
  std::nullopt_t fail_step(std::string_view rest, const std::vector<std::string>& names);

  result go(const schema& s, const std::string& name, std::string_view rest);

  result sequence(const schema& s, const std::string& name, std::string_view rest, std::string_view step, std::string_view after);

  /// A key may hold dots: the shortest one that leads somewhere is meant. `%2E` in the path is a dot of the key in any case.
  result map(const schema& s, const std::string& name, std::string_view rest);

  result optional(const schema& s, const std::string& name, std::string_view rest);

  result variant(const schema& s, const std::string& name, std::string_view rest);

  result end(const schema& s, const std::string& name, std::string_view rest);

  std::nullopt_t fail_column(std::string_view rest);

  static result with_sides(result found, std::initializer_list<std::string> sides);

  static std::size_t optionals(const schema& s) noexcept;

  template <class T>
  void read_side(const std::string& name, T& value) {
    decoder at{reader_, walk_name(true)};
    const auto scope = at.name.member(name);
    decode<T>(at, std::addressof(value));
  }
  bool has_value(const std::string& name);

  bool has_tensor(std::string_view name) const noexcept { return reader_.header().find(name) != nullptr; }

  /// Whether a value that can lie at a key or an index, so one that always leaves a tensor, lies at `name`.
  bool is_there(const schema& s, const std::string& name) const;

  /// The key that a path spells; a '%' without two hexadecimal digits behind it is itself.
  static std::string unescaped(std::string_view text);

  archive_reader& reader_;
  const schema& here_;
  std::string_view path_;
  std::string steps_;
  std::size_t deepest_ = 0;
  error_details failure_;
};

/// The part at `path`: names of members, positions in tuples, indices of modules, keys of named maps and `#i` for the alternative `i`
/// of a variant, as in the names of tensors. Throws `error`: not_found, unsupported, corrupt.
file_part part_of(archive_reader& reader, const schema& file, std::string_view path, const schema& here);

/// What reading the part as a newer version of its type takes. Throws `error`: schema_mismatch, with a line for each path, from the root
/// of the file, at which the part and the type differ; newer_version.
std::vector<evolution_step> require_part(const file_part& part, const schema& here, std::string_view path);

/// A `T` from the tensors of a part that is of its schema, or, where `target` is null, only checked.
template <class T>
void decode_part(archive_reader& reader, const file_part& part, T* target) {
  decoder at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  decode<T>(at, target);
}

/// The same of a part that an older version of the type stored, into a fresh object.
template <class T>
void evolve_part(archive_reader& reader, const file_part& part, T& fresh) {
  decoder at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  evolve(at, schema_of<T>(), *part.type, fresh);
}

/// Before a part is restored: the extents of memory of the program are the stored ones.
template <class T>
void require_part_fits(archive_reader& reader, const file_part& part, const T& target) {
  decoder at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  require_fit(at, target);
  require_accepted(at, target);
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/part.ipp>
#endif
#endif
