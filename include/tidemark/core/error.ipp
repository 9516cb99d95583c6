// SPDX-License-Identifier: BSL-1.0
// core/error.ipp: the definitions of error.hpp (floor: core).
#ifndef TIDEMARK_CORE_ERROR_IPP
#define TIDEMARK_CORE_ERROR_IPP

#include <tidemark/core/error.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string shown(std::string_view text) {
  constexpr std::size_t longest = 300;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) ((out += "\\x") += digits[code >> 4]) += digits[code & 15];
    else out += c;
  }
  return text.size() > longest ? out + "..." : out;
}

TIDEMARK_DETAIL_INLINE std::string message_of(const error_details& d) {
  std::string text = "tidemark: ";
  if (!d.action.empty()) {
    text += "cannot " + d.action;
    if (!d.file.empty()) text += ' ';
  }
  text += d.file;
  if (!d.action.empty() || !d.file.empty()) text += ": ";
  if (!d.tensor.empty()) text += "tensor \"" + shown(d.tensor) + "\": ";
  text += d.problem;
  if (!d.expected.empty()) text += "; expected " + shown(d.expected);
  if (!d.found.empty()) text += (d.expected.empty() ? "; found " : ", found ") + shown(d.found);
  if (d.problem.empty() || d.problem.back() != '\n') text += '.';
  if (!d.advice.empty()) text += (text.back() == '\n' ? "  " : "\n  ") + d.advice;
  return text;
}

}  // namespace tidemark::detail
#endif
