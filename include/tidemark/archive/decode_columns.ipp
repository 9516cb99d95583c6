// SPDX-License-Identifier: BSL-1.0
// archive/decode_columns.ipp: the definitions of decode_columns.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_DECODE_COLUMNS_IPP
#define TIDEMARK_ARCHIVE_DECODE_COLUMNS_IPP

#include <tidemark/archive/decode_columns.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string read_packed(decoder& at) {
  std::uint64_t size = 0;
  const tensor_info& tensor = at.require_array<unsigned char>(size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  input_stream stream = at.in.open(tensor);
  stream.copy({reinterpret_cast<std::byte*>(bytes.data()), bytes.size()});
  stream.finish();
  return bytes;
}

}  // namespace tidemark::detail
#endif
