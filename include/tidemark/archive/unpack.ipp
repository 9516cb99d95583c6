// SPDX-License-Identifier: BSL-1.0
// archive/unpack.ipp: the definitions of unpack.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_UNPACK_IPP
#define TIDEMARK_ARCHIVE_UNPACK_IPP

#include <tidemark/archive/unpack.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE unpack_point unpack_point::child(std::size_t of_file, std::size_t of_here) const {
  return {&file->children[of_file], &here->children[of_here], file_around, here_around};
}

TIDEMARK_DETAIL_INLINE bucket_state unpack_buckets(packed_bytes& in) {
  bucket_state state;
  state.buckets = in.count();
  state.load = load_as<float>(in.take(4));
  return state;
}

TIDEMARK_DETAIL_INLINE void require_buckets(const packed_bytes& in, const bucket_state& state, std::uint64_t elements) {
  std::uint64_t own = spare_packed_buckets;
  if (!take_buckets(in.spare_buckets != nullptr ? *in.spare_buckets : own, state.buckets, 1, elements) || !(state.load >= min_load_factor && state.load <= 1e18F)) {
    packed_bytes::fail("the buckets of an unordered container are out of proportion", {}, std::to_string(state.buckets), errc::invalid_value);
  }
}

}  // namespace tidemark::detail
#endif
