// SPDX-License-Identifier: BSL-1.0
// archive/common_types.hpp: the walks of the most common types, which a compiled library brings and no source file repeats (floor: archive).
#ifndef TIDEMARK_ARCHIVE_COMMON_TYPES_HPP
#define TIDEMARK_ARCHIVE_COMMON_TYPES_HPP

#include <tidemark/archive/encode.hpp>
#include <tidemark/archive/evolve.hpp>

#include <string>
#include <vector>

#define TIDEMARK_DETAIL_WALKS(prefix, ...)                                           \
  prefix template schema make_schema<__VA_ARGS__>();                                 \
  prefix template void encode(save_plan&, walk_name&, const __VA_ARGS__&);           \
  prefix template void decode(decoder&, __VA_ARGS__*);                               \
  prefix template void evolve(decoder&, const schema&, const schema&, __VA_ARGS__&); \
  prefix template void unpack(packed_bytes&, unpack_point, __VA_ARGS__&, int);
#define TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, ...) \
  TIDEMARK_DETAIL_WALKS(prefix, __VA_ARGS__)          \
  TIDEMARK_DETAIL_WALKS(prefix, std::vector<__VA_ARGS__>)
#define TIDEMARK_DETAIL_COMMON_WALKS(prefix)                   \
  TIDEMARK_DETAIL_WALKS(prefix, bool)                          \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, char)               \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, signed char)        \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, unsigned char)      \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, short)              \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, unsigned short)     \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, int)                \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, unsigned)           \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, long)               \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, unsigned long)      \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, long long)          \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, unsigned long long) \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, float)              \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, double)             \
  TIDEMARK_DETAIL_WALKS_OF_ELEMENT(prefix, std::string)

namespace tidemark::detail {

#ifdef TIDEMARK_COMPILED
TIDEMARK_DETAIL_COMMON_WALKS(extern)
#endif

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/common_types.ipp>
#endif
#endif
