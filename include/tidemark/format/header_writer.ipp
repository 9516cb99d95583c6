// SPDX-License-Identifier: BSL-1.0
// format/header_writer.ipp: the definitions of header_writer.hpp (floor: format).
#ifndef TIDEMARK_FORMAT_HEADER_WRITER_IPP
#define TIDEMARK_FORMAT_HEADER_WRITER_IPP

#include <tidemark/format/header_writer.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void append_number(std::string& out, std::uint64_t value) {
  char digits[20];
  std::size_t n = sizeof digits;
  do digits[--n] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  out.append(digits + n, sizeof digits - n);
}

TIDEMARK_DETAIL_INLINE std::size_t find_escaped(std::string_view text, std::size_t at) noexcept {
  for (std::uint64_t eight = 0; text.size() - at >= sizeof eight; at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if (may_need_escape(eight)) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x20 && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

TIDEMARK_DETAIL_INLINE void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = find_escaped(text, 0); i < text.size(); i = find_escaped(text, done)) {
    const auto c = static_cast<unsigned char>(text[i]);
    out.append(text, done, i - done);
    done = i + 1;
    if (c == '"' || c == '\\') (out += '\\') += static_cast<char>(c);
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else (((out += "\\u00") += digits[c >> 4]) += digits[c & 15]);
  }
  out.append(text, done, text.size() - done);
  out += '"';
}

TIDEMARK_DETAIL_INLINE void append_tensor(std::string& out, const tensor_info& t) {
  append_json_string(out, t.name);
  out += ":{\"dtype\":\"";
  out += name_of(t.type);
  out += "\",\"shape\":[";
  for (std::size_t i = 0; i < t.shape.size(); ++i) {
    if (i != 0) out += ',';
    append_number(out, t.shape[i]);
  }
  out += "],\"data_offsets\":[";
  append_number(out, t.offset);
  out += ',';
  append_number(out, t.offset + t.bytes);
  out += "]}";
}

TIDEMARK_DETAIL_INLINE std::string make_header(std::span<const tensor_info> tensors, const metadata_list& metadata) {
  std::string out;
  std::size_t text = 0;
  for (const auto& t : tensors) text += t.name.size() + 22 * t.shape.size();
  for (const auto& [key, value] : metadata) text += key.size() + value.size() + 16;
  out.reserve(text + 100 * tensors.size() + 256);
  out.append(8, '\0');
  out += '{';
  if (!metadata.empty()) {
    out += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (out.back() != '{') out += ',';
      append_json_string(out, key);
      out += ':';
      append_json_string(out, value);
    }
    out += '}';
  }
  for (const auto& t : tensors) {
    if (out.back() != '{') out += ',';
    append_tensor(out, t);
  }
  out += '}';
  out.append((data_alignment - out.size() % data_alignment) % data_alignment, ' ');
  const std::uint64_t length = out.size() - 8;
  if (length > max_header_bytes) {
    throw error({.code = errc::limit,
                 .problem = "its header would have " + std::to_string(length) + " bytes for " + std::to_string(tensors.size()) + " tensors",
                 .expected = "at most 100000000",
                 .advice = "Hold the many small arrays in one, or in rows of fixed size: rows are stored by column."});
  }
  std::memcpy(out.data(), &length, 8);
  return out;
}

}  // namespace tidemark::detail
#endif
