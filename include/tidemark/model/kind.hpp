// SPDX-License-Identifier: BSL-1.0
// model/kind.hpp: the closed set of kinds to which every value reduces (floor: model).
#ifndef TIDEMARK_MODEL_KIND_HPP
#define TIDEMARK_MODEL_KIND_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidemark {

/// All that an archive knows of a type.
enum class kind : std::uint8_t {
  scalar,    ///< one number, bool, enumerator, duration
  text,      ///< a string of bytes
  array,     ///< contiguous scalars with a shape
  sequence,  ///< values of one type, in order
  map,       ///< keys and values
  optional,  ///< a value or nothing
  variant,   ///< one of several types
  tuple,     ///< values of several types, by position
  record,    ///< values of several types, by name
  opaque,    ///< one value of any type, packed into bytes
};

constexpr std::string_view name_of(kind k) noexcept {
  constexpr std::string_view names[] = {"scalar", "text", "array", "sequence", "map", "optional", "variant", "tuple", "record", "opaque"};
  return names[static_cast<std::size_t>(k)];
}

}  // namespace tidemark
#endif
