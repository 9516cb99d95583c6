// SPDX-License-Identifier: BSL-1.0
// core/version.hpp: the version of the library and of the files that it writes (floor: core).
#ifndef TIDEMARK_CORE_VERSION_HPP
#define TIDEMARK_CORE_VERSION_HPP

#include <cstdint>

namespace tidemark {

struct library_version {
  std::uint32_t major, minor, patch;
};

/// The version of this library.
inline constexpr library_version version{0, 1, 0};

/// The version of the file format that this library writes; it reads this one and every earlier one. See docs/format.md.
inline constexpr std::uint32_t format_version = 1;

}  // namespace tidemark
#endif
