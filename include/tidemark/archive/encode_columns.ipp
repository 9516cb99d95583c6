// SPDX-License-Identifier: BSL-1.0
// archive/encode_columns.ipp: the definitions of encode_columns.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_ENCODE_COLUMNS_IPP
#define TIDEMARK_ARCHIVE_ENCODE_COLUMNS_IPP

#include <tidemark/archive/encode_columns.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void add_gathered_keys(save_plan& plan, walk_name& name, const gathered_texts& keys) {
  const auto scope = name.side("keys");
  {
    const auto inner = name.side("offsets");
    plan.add_bytes(name.text(), dtype::u64, extents(keys.offsets.size()), 8, keys.offsets.data());
  }
  plan.add_bytes(name.text(), dtype::u8, extents(keys.bytes.size()), 1, keys.bytes.data());
}

TIDEMARK_DETAIL_INLINE void fail_valueless(std::string_view name) {
  throw error({.code = errc::unsupported,
               .tensor = std::string(name),
               .problem = "the variant is valueless (an assignment to it threw), so it has no state to save",
               .advice = "Assign it a value first."});
}

}  // namespace tidemark::detail
#endif
