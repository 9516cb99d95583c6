// SPDX-License-Identifier: BSL-1.0
// sink/staging_name.hpp: names of what is not committed yet, and how to recognise them (floor: sink).
#ifndef TIDEMARK_SINK_STAGING_NAME_HPP
#define TIDEMARK_SINK_STAGING_NAME_HPP

#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/system_error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

namespace tidemark::detail {

inline constexpr std::size_t longest_file_name = 255;
inline constexpr std::string_view staging_infix = ".tmp.";
inline constexpr std::size_t staging_digits = 32;

/// 128 bits from the system in hexadecimal. Random, because pids and clocks repeat between machines that share a folder. `path` is for
/// messages.
template <class Ops>
std::string random_digits(const Ops& ops, const std::string& path) {
  std::array<unsigned char, staging_digits / 2> random;
  const auto got = retry_interrupted([&] { return ops.getrandom(random.data(), random.size(), 0); });
  if (got != static_cast<ssize_t>(random.size())) {
    throw_save_errno(got < 0 ? errno : EIO, path, "the system gave no random bits for a temporary name", 0);
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : random) text.append({digits[byte >> 4], digits[byte & 15]});
  return text;
}

bool are_random_digits(std::string_view text) noexcept;

/// `.<base>.tmp.<random digits>`. `base` is cut, at a UTF-8 boundary, where the whole would be longer than a name may be.
template <class Ops>
std::string staging_name(const Ops& ops, std::string_view base, const std::string& path) {
  const std::string random = random_digits(ops, path);
  std::size_t kept = longest_file_name - 1 - staging_infix.size() - staging_digits;
  if (kept < base.size()) {
    while (kept > 0 && (static_cast<unsigned char>(base[kept]) & 0xC0) == 0x80) --kept;
    base = base.substr(0, kept);
  }
  std::string name;
  name.reserve(1 + base.size() + staging_infix.size() + staging_digits);
  return name.append(1, '.').append(base).append(staging_infix).append(random);
}

/// Whether a save of ours made this name and never committed it (or still works on it).
bool is_staging_name(std::string_view name) noexcept;

/// The base of such a name.
std::string_view staging_base(std::string_view name) noexcept;

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/staging_name.ipp>
#endif
#endif
