// SPDX-License-Identifier: BSL-1.0
// core/tensor.ipp: the definitions of tensor.hpp (floor: core).
#ifndef TIDEMARK_CORE_TENSOR_IPP
#define TIDEMARK_CORE_TENSOR_IPP

#include <tidemark/core/tensor.hpp>

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::uint64_t tensor_bytes(dtype type, std::span<const std::uint64_t> shape, bool& fits) noexcept {
  std::uint64_t count = 1;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const std::uint64_t extent : shape) count = multiply(count, extent, fits);
  const std::uint64_t bits = multiply(count, bits_of(type), fits);
  if (bits % 8 != 0) fits = false;
  return bits / 8;
}

TIDEMARK_DETAIL_INLINE std::string shape_text(dtype type, std::span<const std::uint64_t> shape) {
  std::string text{name_of(type)};
  text += " [";
  for (std::size_t i = 0; i < shape.size() && i < 32; ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() > 32 ? ", ...]" : "]");
}

}  // namespace tidemark::detail
#endif
