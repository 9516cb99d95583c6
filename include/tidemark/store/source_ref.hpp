// SPDX-License-Identifier: BSL-1.0
// store/source_ref.hpp: any source behind one type, so that reading is compiled once and not once a source (floor: store).
#ifndef TIDEMARK_STORE_SOURCE_REF_HPP
#define TIDEMARK_STORE_SOURCE_REF_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/sink.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace tidemark::detail {

/// One file of a source that is several, one behind the other.
struct source_part {
  std::string name;         ///< for messages
  std::uint64_t start = 0;  ///< of its first byte in the source
  std::uint64_t bytes = 0;
  std::string digest;       ///< over all its digests, in hexadecimal, as the manifest has it
};

template <class S>
concept PartedSource = Source<S> && requires(const S& source) {
  { source.parts() } -> std::same_as<const std::vector<source_part>&>;
};

/// A reference to a source that outlives it.
class source_ref {
 public:
  template <Source S>
  explicit source_ref(const S& source)
      : source_(&source), size_(source.size()), name_([](const void* s) { return std::string(static_cast<const S*>(s)->name()); }),
        read_([](const void* s, std::uint64_t offset, bytes_span into) { static_cast<const S*>(s)->read(offset, into); }) {
    if constexpr (ContiguousSource<S>) {
      bytes_ = source.bytes();
      is_contiguous_ = true;
    }
    if constexpr (PartedSource<S>) parts_ = &source.parts();
  }

  std::uint64_t size() const noexcept { return size_; }
  std::string name() const { return name_(source_); }
  /// Empty where it is one file.
  const std::vector<source_part>& parts() const noexcept;
  void read(std::uint64_t offset, bytes_span into) const { read_(source_, offset, into); }
  /// The bytes themselves, where they lie in memory.
  bool is_contiguous() const noexcept { return is_contiguous_; }
  bytes_view bytes(std::uint64_t offset, std::uint64_t count) const noexcept;

 private:
  const void* source_;
  std::uint64_t size_;
  std::string (*name_)(const void*);
  void (*read_)(const void*, std::uint64_t, bytes_span);
  bytes_view bytes_;
  const std::vector<source_part>* parts_ = nullptr;
  bool is_contiguous_ = false;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/source_ref.ipp>
#endif
#endif
