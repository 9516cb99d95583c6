// SPDX-License-Identifier: BSL-1.0
// format/digests.hpp: the tensor that holds the digests of all others and of the header (floor: format).
#ifndef TIDEMARK_FORMAT_DIGESTS_HPP
#define TIDEMARK_FORMAT_DIGESTS_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

inline constexpr std::string_view digests_name = "tidemark#digests";
inline constexpr std::uint64_t block_bytes = std::uint64_t{16} << 20;

constexpr std::uint64_t blocks_of(std::uint64_t bytes) noexcept { return bytes / block_bytes + (bytes % block_bytes != 0); }

/// The header's content as bytes that do not depend on the order or the spelling of its JSON, hashed: all tensors but the
/// digests by name, with dtype and shape, then the metadata by key. docs/format.md, "The header digest".
class header_digester {
 public:
  void number(std::uint64_t value) { append(object_bytes(value)); }
  void text(std::string_view value);
  digest128 finish();

 private:
  void append(bytes_view bytes);

  hasher hash_;
  std::size_t used_ = 0;
  std::byte buffer_[4096];
};

template <class Metadata>
digest128 header_digest(std::span<const tensor_info> tensors, std::span<const std::uint32_t> order, const Metadata& metadata) {
  header_digester digester;
  digester.number(order.size());
  for (const std::uint32_t i : order) {
    digester.text(tensors[i].name);
    digester.text(name_of(tensors[i].type));
    digester.number(tensors[i].shape.size());
    for (const std::uint64_t extent : tensors[i].shape) digester.number(extent);
  }
  std::vector<std::pair<std::string_view, std::string_view>> sorted(metadata.begin(), metadata.end());
  std::sort(sorted.begin(), sorted.end());
  digester.number(sorted.size());
  for (const auto& [key, value] : sorted) {
    digester.text(key);
    digester.text(value);
  }
  return digester.finish();
}

/// The digests of an archive: its own, the header's, then those of each tensor's blocks, tensors in the order of their names.
class digest_table {
 public:
  digest_table() = default;

  /// Room for the digests of those `tensors` that `order` lists, by name: all but the digest tensor.
  digest_table(std::span<const tensor_info> tensors, std::span<const std::uint32_t> order);

  /// Bytes of the digest tensor.
  std::uint64_t bytes() const noexcept { return digests_.size() * sizeof(digest128); }
  bytes_view view() const noexcept { return {digests_.data()->bytes.data(), static_cast<std::size_t>(bytes())}; }
  bytes_span view() noexcept { return {digests_.data()->bytes.data(), static_cast<std::size_t>(bytes())}; }
  bool empty() const noexcept { return digests_.empty(); }

  digest128& block(std::size_t tensor, std::uint64_t block) noexcept { return digests_[static_cast<std::size_t>(first_[tensor] + block)]; }
  const digest128& block(std::size_t tensor, std::uint64_t block) const noexcept;
  digest128& header() noexcept { return digests_[1]; }
  const digest128& header() const noexcept { return digests_[1]; }

  void seal() noexcept { digests_[0] = own(); }
  bool is_sealed() const noexcept { return digests_[0] == own(); }
  /// The digest of all others.
  digest128 own() const noexcept { return digest_of(view().subspan(sizeof(digest128))); }

 private:
  std::vector<digest128> digests_;
  std::vector<std::uint64_t> first_;
};

static_assert(sizeof(digest128) == 16);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/digests.ipp>
#endif
#endif
