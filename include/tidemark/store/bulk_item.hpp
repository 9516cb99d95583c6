// SPDX-License-Identifier: BSL-1.0
// store/bulk_item.hpp: one tensor that is left for the threads which read in bulk (floor: store).
#ifndef TIDEMARK_STORE_BULK_ITEM_HPP
#define TIDEMARK_STORE_BULK_ITEM_HPP

#include <tidemark/archive/decoder.hpp>

#include <cstdint>

namespace tidemark::detail {

/// One tensor to read, and where to.
struct bulk_item {
  enum kind : std::uint8_t { check, copy, append };

  std::uint32_t tensor;
  kind is;
  void* to;                ///< memory, or the container that grows
  append_function append_to;
};

}  // namespace tidemark::detail
#endif
