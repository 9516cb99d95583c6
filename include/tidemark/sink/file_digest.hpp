// SPDX-License-Identifier: BSL-1.0
// sink/file_digest.hpp: a digest of whole files that other tools check, as a value, so that what takes one as an option knows no library for it (floor: sink).
#ifndef TIDEMARK_SINK_FILE_DIGEST_HPP
#define TIDEMARK_SINK_FILE_DIGEST_HPP

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace tidemark {

/// A digest under way: of all the bytes that `update` was given, in hexadecimal once `finish` is called.
struct running_digest {
  std::function<void(std::span<const std::byte>)> update = {};
  std::function<std::string()> finish = {};
};

/// What is computed of each file of a sharded checkpoint, and the file that lists it, a line of digest and name each. Empty: nothing.
struct file_digest {
  std::string list_name = {};                     ///< "SHA256SUMS"
  std::function<running_digest()> start = {};
};

}  // namespace tidemark
#endif
