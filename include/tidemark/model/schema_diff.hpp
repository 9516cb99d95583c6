// SPDX-License-Identifier: BSL-1.0
// model/schema_diff.hpp: every path at which two schemas differ, and the message that lists them (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_DIFF_HPP
#define TIDEMARK_MODEL_SCHEMA_DIFF_HPP

#include <tidemark/model/schema.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tidemark {

/// One difference between the schema of a type and the one in a file.
struct schema_difference {
  enum class what : std::uint8_t { missing, extra, different };

  what is = what::different;
  std::string path;  ///< "layers.*.weight"
  std::string here;  ///< the type's, as text; empty where only the file has it
  std::string file;  ///< the file's, as text; empty where only the type has it
};

namespace detail {

void append_differences(std::vector<schema_difference>& out, const schema& here, const schema& file, const std::string& path);

}  // namespace detail

/// Every path at which the type (`here`) and the file differ; the order of a record's members is no difference. O(n log n).
std::vector<schema_difference> differences(const schema& here, const schema& file);

/// A line for each difference, aligned, for people.
std::string to_text(const std::vector<schema_difference>& all);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/schema_diff.ipp>
#endif
#endif
