// SPDX-License-Identifier: BSL-1.0
// core/tensor.hpp: what an archive says of one tensor: name, dtype, shape, and where its bytes lie (floor: core).
#ifndef TIDEMARK_CORE_TENSOR_HPP
#define TIDEMARK_CORE_TENSOR_HPP

#include <tidemark/core/dtype.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tidemark {

/// One tensor of an archive. Name and shape are views into the header, plan or archive that handed it out.
struct tensor_info {
  std::string_view name;
  dtype type = dtype::u8;
  std::span<const std::uint64_t> shape;  ///< extents, slowest first; empty for a scalar
  std::uint64_t offset = 0;              ///< of its first byte, from the start of the data section
  std::uint64_t bytes = 0;
};

namespace detail {

/// Bytes of a tensor of this dtype and shape; false in `fits` when no 64-bit count holds them, or when it ends inside a byte.
std::uint64_t tensor_bytes(dtype type, std::span<const std::uint64_t> shape, bool& fits) noexcept;

/// "F32 [3, 4]", as errors and reports print a tensor.
std::string shape_text(dtype type, std::span<const std::uint64_t> shape);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/tensor.ipp>
#endif
#endif
