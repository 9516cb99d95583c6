// SPDX-License-Identifier: BSL-1.0
// archive/decoder.hpp: what a walk on the way up needs: the stored tensors, the name it is at, and checks that name the tensor (floor: archive).
#ifndef TIDEMARK_ARCHIVE_DECODER_HPP
#define TIDEMARK_ARCHIVE_DECODER_HPP

#include <tidemark/archive/input.hpp>
#include <tidemark/archive/leaves.hpp>
#include <tidemark/archive/names.hpp>
#include <tidemark/archive/plan.hpp>
#include <tidemark/core/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::detail {

/// Every piece that is appended, but for the last, has a multiple of this many bytes. Pieces and blocks are larger powers of two.
inline constexpr std::size_t append_granule = 4096;

/// Appends bytes to the vector behind `container`: how an array is read into memory that nothing has touched yet.
using append_function = void (*)(void* container, bytes_view bytes);

/// The tensors of an archive as a decoder sees them. `defer_*` may be carried out later, by several threads. Abstract, so that what
/// depends on no type is compiled once, whatever the tensors come from.
class tensor_input {
 public:
  virtual const tensor_info* find(std::string_view name) = 0;  ///< null where there is none; notes that somebody claims it
  virtual input_stream open(const tensor_info& tensor) = 0;    ///< one at a time
  virtual std::uint64_t tensor_count() const noexcept = 0;
  virtual std::uint64_t data_bytes() const noexcept = 0;
  virtual void defer_check(const tensor_info& tensor) = 0;
  virtual void defer_copy(const tensor_info& tensor, bytes_span to) = 0;
  virtual void defer_append(const tensor_info& tensor, void* container, append_function append) = 0;

 protected:
  ~tensor_input() = default;
};

struct decoder {
  tensor_input& in;
  walk_name name;
  std::uint64_t spare = shared_buckets;  ///< that the unordered containers of the archive may still have out of proportion
  int aside = 0;                        ///< above 0: the value goes through user code before it is committed, so it is read at once

  const tensor_info& require(dtype type);

  const tensor_info& require(dtype type, const extents& shape);

  /// A tensor whose first extent is free and the others are those of the leaf `E`. Returns it; `count` is that extent.
  template <class E>
  const tensor_info& require_array(std::uint64_t& count) {
    const tensor_info& tensor = require(leaf_traits<E>::type);
    count = tensor.shape.empty() ? 0 : tensor.shape[0];
    const extents wanted = leaf_shape<E>(extents(count));
    if (!std::ranges::equal(tensor.shape, wanted.view())) {
      fail("it has another shape", "[any" + shape_text(tensor.type, wanted.view()).substr(shape_text(tensor.type, extents(count).view()).size() - 1),
           shape_text(tensor.type, tensor.shape));
    }
    require_sane(count, sizeof(E));
    return tensor;
  }

  std::uint64_t number();

  /// `name#size` of modules, which lie one by one: no more of them than tensors.
  std::uint64_t module_count();

  /// The file's bytes bound how many elements of `size` bytes in memory it can ask for.
  void require_sane(std::uint64_t count, std::size_t size);

  [[noreturn]] void fail(std::string problem, std::string expected = {}, std::string found = {}, errc code = errc::corrupt) const;

  /// For bytes that are intact but no value: runs to the end of the tensor first, since damage is the better explanation.
  [[noreturn]] void fail_value(input_stream& stream, std::string expected, std::string found = {}) const;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/decoder.ipp>
#endif
#endif
