// SPDX-License-Identifier: BSL-1.0
// format/header.hpp: a safetensors header read strictly, from bytes that may be anything (floor: format).
#ifndef TIDEMARK_FORMAT_HEADER_HPP
#define TIDEMARK_FORMAT_HEADER_HPP

#include <tidemark/core/arena.hpp>
#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/function_ref.hpp>
#include <tidemark/core/tensor.hpp>
#include <tidemark/format/name_index.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// What a header says. Names, shapes and metadata lie in memory that belongs to it.
struct file_header {
  std::uint64_t data_start = 0;  ///< of the data section, from the start of the file
  std::uint64_t data_bytes = 0;
  std::vector<tensor_info> tensors;  ///< in the order of their offsets
  std::vector<std::pair<std::string_view, std::string_view>> metadata;
  name_index index;
  std::unique_ptr<char[]> text;
  arena shapes;

  const tensor_info* find(std::string_view name) const noexcept;
  std::optional<std::string_view> meta(std::string_view key) const noexcept;
};

/// Reads the header of a file of `file_bytes` bytes; `read(offset, into)` fills `into` from the file. Throws `error` (corrupt, truncated,
/// limit). Memory: proportional to the header, whatever it says.
file_header read_header(std::uint64_t file_bytes, function_ref<void(std::uint64_t offset, bytes_span into)> read);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/header.ipp>
#endif
#endif
