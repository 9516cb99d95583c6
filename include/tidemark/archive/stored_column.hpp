// SPDX-License-Identifier: BSL-1.0
// archive/stored_column.hpp: values that were stored by column, handed out one after the other as packed bytes (floor: archive).
#ifndef TIDEMARK_ARCHIVE_STORED_COLUMN_HPP
#define TIDEMARK_ARCHIVE_STORED_COLUMN_HPP

#include <tidemark/model/schema.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tidemark::detail {

/// The positions of a record's members in the order of their names, as packed bytes have them.
std::vector<std::size_t> order_of_members(const schema& record);

std::string step_name(const schema& s, std::size_t child);

/// A column of values, read whole, that gives one after the other.
struct stored_column {
  const schema* type = nullptr;
  std::uint64_t stride = 0;            ///< bytes of one value, of a leaf
  std::string bytes{};                 ///< of a leaf, of text, of what is packed; flags of an optional, indices of a variant
  std::vector<std::uint64_t> offsets{};
  std::string buckets{}, loads{};      ///< of unordered containers
  std::vector<stored_column> parts{};
  std::uint64_t next = 0;

  void append_next(std::string& out);
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/stored_column.ipp>
#endif
#endif
