// SPDX-License-Identifier: BSL-1.0
// store/open.hpp: an archive opened once and read in parts, each verified as it is read (floor: store).
#ifndef TIDEMARK_STORE_OPEN_HPP
#define TIDEMARK_STORE_OPEN_HPP

#include <tidemark/store/failures.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/part.hpp>
#include <tidemark/store/slice.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {

/// An archive that `open` has opened. Its header, schema and digest table have been checked, its data have not: each part is compared
/// with its digests when it is read, so damage elsewhere in the file does not matter to it. Move-only; for one thread at a time.
///
/// A path is spelled as the names of tensors: members, positions in tuples, indices and keys of modules and arrays that have names of
/// their own, `#1` for alternative 1 of a variant: "optimizer.m", "layers.3.weight", "groups.layer.0.bias", "choice#1.rate"; "" is the
/// whole state. It goes through optionals that have a value; at its end the type that is asked for says whether the optional is meant
/// or what it holds. Values that are stored by column do not lie alone: their owner is read whole, or a column in slices.
class archive {
 public:
  template <Source S>
  explicit archive(std::shared_ptr<const S> source) : source_(std::move(source)) {
    const S& opened = *static_cast<const S*>(source_.get());
    detail::doing("open", [&] { return std::string(opened.name()); }, [&] {
      name_ = opened.name();
      reader_ = std::make_unique<detail::archive_reader>(detail::source_ref(opened));
      if (reader_->identity_entry()) schema_ = std::make_unique<const schema>(detail::stored_schema(*reader_->identity_entry()));
    });
  }

  /// Builds the part at `path`. Linear in its size, one pass; memory: the part, and a MiB a thread; arrays are read by several threads.
  /// Throws `error`: not_found (no such path; what there is instead), schema_mismatch (lists every path), unsupported (a path into a
  /// column; a file without a schema), corrupt, truncated, invalid_value, limit, io.
  template <class T>
  [[nodiscard]] T read(std::string_view path = {}, const load_options& options = {}) {
    detail::require_checkpointable<T>();
    static_assert(std::is_default_constructible_v<T>, "tidemark: read<T> begins with a default-constructed T; give it a default constructor, or use restore");
    static_assert(std::is_move_constructible_v<T>, "tidemark: a read returns the state by value, and this one cannot be moved (does it hold a std::atomic or a std::mutex?); make an object and restore it");
    if constexpr (Checkpointable<T> && std::is_default_constructible_v<T> && std::is_move_constructible_v<T>) {
      T object = T();
      in_part("read", schema_of<T>(), path, options, 1, [&](const detail::file_part& part, bool is_older, detail::progress_meter& meter) {
        if (is_older) detail::evolve_part(*reader_, part, object);
        else detail::decode_part(*reader_, part, std::addressof(object));
        reader_->run_deferred(options.threads, meter);
      });
      return object;
    }
  }

  /// Makes `object` what the part at `path` holds, in place: arrays of the stored size keep their address. The part is verified,
  /// compared with the type and checked before anything is touched. Linear, two passes. Throws as `read`; and partly_restored where
  /// the part, once verified, could not be read a second time: only then has `object` been changed.
  template <class T>
  load_report restore(T& object, std::string_view path = {}, const load_options& options = {}) {
    static_assert(!std::is_const_v<T>, "tidemark: restore changes its target, and this one is const");
    detail::require_restorable<std::remove_const_t<T>>();
    if constexpr (Restorable<T>) return in_part("restore", schema_of<T>(), path, options, 2, [&](const detail::file_part& part, bool is_older, detail::progress_meter& meter) {
      if (is_older) {
        detail::restore_aside(object, [&](auto& fresh) {
          detail::evolve_part(*reader_, part, fresh);
          reader_->run_deferred(options.threads, meter);
        });
        return;
      }
      detail::require_part_fits(*reader_, part, object);
      detail::decode_part<T>(*reader_, part, nullptr);
      reader_->run_deferred(options.threads, meter);
      detail::second_pass(meter, [&] {
        detail::decode_part(*reader_, part, std::addressof(object));
        reader_->run_deferred(options.threads, meter);
      });
    });
  }

  /// `count` rows of a tensor from row `first` on, a row being all elements at one index of the first dimension; in row order. By the
  /// name of the tensor, so also of columns, and in files of other writers. Reads and verifies the blocks of 16 MiB that the rows lie
  /// in, whole, since a digest covers a block; nothing else. Throws `error`: not_found, schema_mismatch (another dtype), limit (rows
  /// beyond the end), corrupt, truncated, invalid_value (a bool of 2), io.
  template <class T>
  [[nodiscard]] std::vector<T> slice(std::string_view tensor, std::uint64_t first, std::uint64_t count) {
    std::vector<T> rows;
    in_slice(tensor, [&](const tensor_info& t) { rows = detail::sliced<T>(*reader_, t, detail::rows_of<T>(t, first, count)); });
    return rows;
  }

  /// The same into memory that is there, whose size in elements is a number of whole rows. Verified before `into` is touched, so the
  /// blocks are read twice. Throws as `slice`; unsupported where `into` ends inside a row; partly_restored as `restore`.
  template <class T>
  void read_slice(std::span<T> into, std::string_view tensor, std::uint64_t first) {
    in_slice(tensor, [&](const tensor_info& t) { detail::slice_into(*reader_, t, first, into); });
  }

  /// Names of the tensors that nothing has read yet, in file order. What was read and refused counts as not read.
  std::vector<std::string_view> unclaimed() const;

  /// Throws `error` (schema_mismatch), which lists them, where there are any.
  void require_all_claimed() const;

  /// All tensors in file order, without the one of the digests. Names and shapes live as long as the archive.
  std::vector<tensor_info> tensors() const;

  /// The type that was saved; null for a file of another writer.
  const schema* stored_schema() const noexcept { return schema_.get(); }

  /// A line for each member of the type that was saved; of a file of another writer, for each tensor. For people.
  std::string describe() const;

  /// An entry of `__metadata__`, which its digest has been compared with.
  std::optional<std::string_view> metadata(std::string_view key) const noexcept { return reader_->header().meta(key); }
  const std::vector<std::pair<std::string_view, std::string_view>>& metadata() const noexcept { return reader_->header().metadata; }

  /// False for a file of another writer: what is read from it cannot be verified.
  bool has_digests() const noexcept { return reader_->has_digests(); }

  /// The `fingerprint` of the value that was saved, whatever metadata lie beside it; from the digest table, without reading the data:
  /// compare it with that of a value in memory. Nothing for a file of another writer. Linear in the number of tensors.
  std::optional<digest128> fingerprint() const;

 private:
  /// Takes back, unless the read has succeeded, what it has asked for and put off.
  class attempt {
   public:
    explicit attempt(detail::archive_reader& reader) : reader_(reader), before_(reader.claims()) {}
    attempt(const attempt&) = delete;
    attempt& operator=(const attempt&) = delete;
    ~attempt();
    void succeed() noexcept { has_succeeded_ = true; }

   private:
    detail::archive_reader& reader_;
    std::vector<bool> before_;
    bool has_succeeded_ = false;
  };

  load_report in_part(const char* action, const schema& here, std::string_view path, const load_options& options, unsigned passes,
                      detail::function_ref<void(const detail::file_part&, bool is_older, detail::progress_meter&)> f);

  void in_slice(std::string_view tensor, detail::function_ref<void(const tensor_info&)> f);

  std::uint64_t bytes_below(std::string_view name) const;

  std::shared_ptr<const void> source_;
  std::string name_;
  std::unique_ptr<detail::archive_reader> reader_;  // behind a pointer: tensors point into it, wherever the archive moves
  std::unique_ptr<const schema> schema_;
};

/// Opens an archive, or any safetensors file, to read it in parts. A source that is a temporary is kept by the archive, any other is
/// only referred to and must outlive it. Reads and checks header, schema and digest table; linear in the number of tensors.
/// Throws `error`: not_found, unsafe_path, corrupt, truncated, newer_version, limit, io.
template <class S>
  requires Source<std::remove_cvref_t<S>>
[[nodiscard]] archive open(S&& source) {
  using kept = std::remove_cvref_t<S>;
  if constexpr (std::is_lvalue_reference_v<S>) return archive(std::shared_ptr<const kept>(std::shared_ptr<const kept>(), &source));
  else return archive(std::make_shared<const kept>(std::forward<S>(source)));
}

/// The same of the file at `path`. It may be replaced meanwhile: the file that was opened is the one that is read.
template <detail::SourcePath Path>
[[nodiscard]] archive open(const Path& path) {
  return open(detail::open_source("open", detail::path_text(path)));
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/open.ipp>
#endif
#endif
