// SPDX-License-Identifier: BSL-1.0
// sink/file_digest.hpp: a digest of whole files, as a value, so that what writes a list of them knows no library that computes it (floor: sink).
#ifndef TIDEMARK_SINK_FILE_DIGEST_HPP
#define TIDEMARK_SINK_FILE_DIGEST_HPP

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace tidemark {

/// A digest of one file under way, whose bytes come in order. For one thread at a time.
struct running_digest {
  std::function<void(std::span<const std::byte>)> update = {};
  std::function<std::string()> finish = {};  ///< lower-case hexadecimal digits; once, at the end
};

/// How files are digested, and the name of the file that lists them: a line a file, "<digest>  <name>", as `sha256sum -c` reads it.
struct file_digest {
  std::string list_name = {};                    ///< "SHA256SUMS"
  std::function<running_digest()> start = {};    ///< any thread may start one
};

}  // namespace tidemark
#endif
