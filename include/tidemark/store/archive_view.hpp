// SPDX-License-Identifier: BSL-1.0
// store/archive_view.hpp: any safetensors file opened by name, whoever wrote it: tensors as typed views, verified where it has digests (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_VIEW_HPP
#define TIDEMARK_STORE_ARCHIVE_VIEW_HPP

#include <tidemark/sink/mapped_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/store/archive_reader.hpp>
#include <tidemark/store/failures.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {
namespace detail {

/// Whether one dtype holds a `T`.
template <class T>
consteval bool is_number() {
  if constexpr (Scalar<T>) return scalar_traits<T>::trailing == 0;
  else return false;
}

/// Whether the elements of a tensor are `T`s as they lie.
template <class T>
consteval bool is_viewable() {
  if constexpr (is_number<T>()) return scalar_traits<T>::is_direct && !scalar_traits<T>::is_checked;
  else return false;
}

}  // namespace detail

/// The tensors of a safetensors file, by name. The file is mapped: nothing is read before it is asked for, and the first use
/// of a tensor checks its digests, if the file has any. Views stay valid while the archive_view lives, also when it is moved.
/// Not for several threads at once. See `mapped_file` on files that others shorten.
class archive_view {
  // Behind a pointer: the reader refers to the source, and views refer to the header, wherever the archive_view moves.
  struct opened {
    std::shared_ptr<const void> source;
    std::span<const std::byte> (*source_bytes)(const void*);
    std::string name;
    std::unique_ptr<detail::archive_reader> reader;
    std::vector<tensor_info> tensors;
    std::vector<bool> is_checked;
  };

  template <class Name, class F>
  static decltype(auto) doing(std::string_view action, Name&& name, F&& f) {
    return detail::doing(action, std::forward<Name>(name), std::forward<F>(f));
  }

  template <class F>
  decltype(auto) in_file(F&& f) const {
    return doing("read", [&] { return state_->name; }, std::forward<F>(f));
  }

 public:
  /// Opens the file at `path` and checks its header. Throws `error`: not_found, unsafe_path, corrupt, truncated, newer_version, limit, io.
  template <class Path>
    requires std::is_constructible_v<mapped_file, const Path&>
  explicit archive_view(const Path& path) : archive_view(doing("open", [] { return std::string{}; }, [&] { return mapped_file(path); })) {}
  explicit archive_view(mapped_file file);
  /// Takes the bytes of a memory.
  explicit archive_view(memory bytes);

  /// The path, or what else names the source.
  const std::string& name() const noexcept { return state_->name; }

  /// All tensors in file order, without the one of the digests.
  const std::vector<tensor_info>& tensors() const noexcept { return state_->tensors; }

  bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }

  /// The tensor of this name, null where there is none.
  const tensor_info* find(std::string_view name) const noexcept;

  /// The tensor of this name. Throws `error` (not_found), which lists names that are alike.
  const tensor_info& operator[](std::string_view name) const { return get(name); }

  /// An entry of `__metadata__`.
  std::optional<std::string_view> metadata(std::string_view key) const noexcept { return state_->reader->header().meta(key); }
  const std::vector<std::pair<std::string_view, std::string_view>>& metadata() const noexcept { return state_->reader->header().metadata; }

  /// Whether the file can be verified, as those written by tidemark can.
  bool has_digests() const noexcept { return state_->reader->has_digests(); }

  /// The schema of the type that was saved; nothing for a file of another writer. Throws `error` (corrupt).
  std::optional<schema> stored_schema() const;

  /// The bytes of a tensor, little-endian, slowest extent first; checked against its digests at the first call.
  /// Throws `error`: not_found, corrupt.
  std::span<const std::byte> bytes(std::string_view name) const;

  /// The elements of a tensor where they lie. Throws `error`: as `bytes`; schema_mismatch where the dtype is not that of `T`;
  /// unsupported where the writer left them unaligned for `T` (use `values`).
  template <class T>
  std::span<const T> elements(std::string_view name) const {
    static_assert(detail::is_viewable<T>(),
                  "tidemark: elements<T> views memory as it is in the file: T must be a number of a dtype's layout (bool: use values)");
    const auto raw = typed_bytes<T>(name);
    if (reinterpret_cast<std::uintptr_t>(raw.data()) % alignof(T) != 0) {
      throw error({.code = errc::unsupported, .action = "view", .file = state_->name, .tensor = std::string(name),
                   .problem = "its data are not aligned for this type in the file", .advice = "Copy them: values<T>(name)."});
    }
    return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
  }

  /// A copy of the elements of a tensor. Throws `error`: as `elements`, but for the alignment; invalid_value for a bool other than 0 and 1.
  template <class T>
  std::vector<T> values(std::string_view name) const {
    static_assert(detail::is_number<T>(), "tidemark: values<T> reads numbers that a dtype holds");
    using traits = detail::scalar_traits<T>;
    const auto raw = typed_bytes<T>(name);
    std::vector<T> all(raw.size() / traits::file_bytes);
    for (std::size_t i = 0; i < all.size(); ++i) {
      T value{};
      if (!traits::decode(raw.data() + i * traits::file_bytes, value)) {
        throw error({.code = errc::invalid_value, .action = "read", .file = state_->name, .tensor = std::string(name),
                     .problem = "element " + std::to_string(i) + " is no value of its type", .expected = traits::code()});
      }
      all[i] = value;
    }
    return all;
  }

 private:
  template <class S>
  static std::unique_ptr<opened> open(S source);

  const tensor_info& get(std::string_view name) const;

  template <class T>
  std::span<const std::byte> typed_bytes(std::string_view name) const {
    const tensor_info& tensor = get(name);
    if (tensor.type != detail::scalar_traits<T>::type) {
      throw error({.code = errc::schema_mismatch, .action = "read", .file = state_->name, .tensor = std::string(name), .problem = "its elements are of another type",
                   .expected = std::string(name_of(detail::scalar_traits<T>::type)), .found = detail::shape_text(tensor.type, tensor.shape)});
    }
    return bytes(name);
  }

  std::unique_ptr<opened> state_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/archive_view.ipp>
#endif
#endif
