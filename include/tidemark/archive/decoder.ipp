// SPDX-License-Identifier: BSL-1.0
// archive/decoder.ipp: the definitions of decoder.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_DECODER_IPP
#define TIDEMARK_ARCHIVE_DECODER_IPP

#include <tidemark/archive/decoder.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const tensor_info& decoder::require(dtype type) {
  const tensor_info* tensor = in.find(name.text());
  if (tensor == nullptr) fail("it is missing");
  if (tensor->type != type) fail("it has another element type", std::string(name_of(type)), std::string(name_of(tensor->type)));
  return *tensor;
}

TIDEMARK_DETAIL_INLINE const tensor_info& decoder::require(dtype type, const extents& shape) {
  const tensor_info& tensor = require(type);
  if (!std::ranges::equal(tensor.shape, shape.view())) {
    fail("it has another shape", shape_text(type, shape.view()), shape_text(type, tensor.shape));
  }
  return tensor;
}

TIDEMARK_DETAIL_INLINE std::uint64_t decoder::number() {
  input_stream stream = in.open(require(dtype::u64, {}));
  const auto value = load_as<std::uint64_t>(stream.take(8));
  stream.finish();
  return value;
}

TIDEMARK_DETAIL_INLINE std::uint64_t decoder::module_count() {
  const auto scope = name.side("size");
  const std::uint64_t count = number();
  if (count > in.tensor_count()) fail("it asks for more elements than the file has tensors", {}, std::to_string(count));
  return count;
}

TIDEMARK_DETAIL_INLINE void decoder::require_sane(std::uint64_t count, std::size_t size) {
  if (count > max_empty_elements(size) && count > in.data_bytes()) {
    fail("it asks for more elements than the file has bytes", {}, std::to_string(count), errc::limit);
  }
}

TIDEMARK_DETAIL_INLINE void decoder::fail(std::string problem, std::string expected, std::string found, errc code) const {
  throw error({.code = code,
               .tensor = std::string(name.text()),
               .problem = std::move(problem),
               .expected = std::move(expected),
               .found = std::move(found)});
}

TIDEMARK_DETAIL_INLINE void decoder::fail_value(input_stream& stream, std::string expected, std::string found) const {
  stream.finish();
  fail("it holds a value that its type cannot have", std::move(expected), std::move(found), errc::invalid_value);
}

}  // namespace tidemark::detail
#endif
