// SPDX-License-Identifier: BSL-1.0
// format/header_writer.hpp: the JSON header of a safetensors file, written by hand for speed (floor: format).
#ifndef TIDEMARK_FORMAT_HEADER_WRITER_HPP
#define TIDEMARK_FORMAT_HEADER_WRITER_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/tensor.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// Pairs of strings that travel with an archive: the step, a metric, a commit.
using metadata_list = std::vector<std::pair<std::string, std::string>>;

namespace detail {

/// The most bytes that readers of safetensors accept as a header.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

/// The most entries of `__metadata__` that this library writes and reads.
inline constexpr std::size_t max_metadata = 4096;

/// Data begins at a multiple of this, so that arrays of every element size are aligned where a file is mapped.
inline constexpr std::size_t data_alignment = 64;

void append_number(std::string& out, std::uint64_t value);

/// Whether one of eight bytes is a control character, a quote or a backslash; true now and then for none of them.
/// A byte below n borrows in x - n (S. E. Anderson, Bit Twiddling Hacks, "hasless").
constexpr bool may_need_escape(std::uint64_t eight) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  const std::uint64_t quotes = eight ^ ones * '"', backslashes = eight ^ ones * '\\';
  return ((((eight - ones * 0x20) & ~eight) | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes)) & ones * 0x80) != 0;
}

/// Where the first byte from `at` on that JSON escapes is, or the end.
std::size_t find_escaped(std::string_view text, std::size_t at) noexcept;

void append_json_string(std::string& out, std::string_view text);

void append_tensor(std::string& out, const tensor_info& t);

/// The length prefix and the header, padded with spaces to `data_alignment`. `tensors` in the order of their offsets.
/// Throws `error` (limit) when no reader would accept it.
std::string make_header(std::span<const tensor_info> tensors, const metadata_list& metadata);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/header_writer.ipp>
#endif
#endif
