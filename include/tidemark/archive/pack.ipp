// SPDX-License-Identifier: BSL-1.0
// archive/pack.ipp: the definitions of pack.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_PACK_IPP
#define TIDEMARK_ARCHIVE_PACK_IPP

#include <tidemark/archive/pack.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <numeric>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::vector<std::size_t> positions_by_name(std::span<const std::string_view> names) {
  std::vector<std::size_t> positions(names.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return positions;
}

TIDEMARK_DETAIL_INLINE void append_text(std::string& out, std::string_view text) {
  append_count(out, text.size());
  out += text;
}

TIDEMARK_DETAIL_INLINE void append_tensor(std::string& out, dtype type, std::span<const std::uint64_t> shape, bytes_view bytes) {
  append_text(out, name_of(type));
  append_count(out, shape.size());
  for (const std::uint64_t extent : shape) append_count(out, extent);
  append_bytes(out, bytes.data(), bytes.size());
}

TIDEMARK_DETAIL_INLINE void fail_packed_depth() {
  throw error({.code = errc::limit, .problem = "a value that contains itself is nested more than " + std::to_string(max_packed_depth) + " levels deep",
               .advice = "Hold a long chain in one vector, its nodes linked by index."});
}

TIDEMARK_DETAIL_INLINE const std::byte* packed_bytes::take(std::uint64_t n) {
  if (n > left.size()) fail("it ends too early");
  const std::byte* at = left.data();
  left = left.subspan(static_cast<std::size_t>(n));
  return at;
}

TIDEMARK_DETAIL_INLINE std::string_view packed_bytes::text() {
  const std::uint64_t size = count();
  return {reinterpret_cast<const char*>(take(size)), static_cast<std::size_t>(size)};
}

TIDEMARK_DETAIL_INLINE void packed_bytes::fail(std::string problem, std::string expected, std::string found, errc code) {
  throw error({.code = code, .problem = "a packed value: " + std::move(problem), .expected = std::move(expected), .found = std::move(found)});
}

}  // namespace tidemark::detail
#endif
