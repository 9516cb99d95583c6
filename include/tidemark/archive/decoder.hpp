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

/// The tensors of an archive as a decoder sees them. `defer_*` may be carried out later, by several threads.
template <class In>
concept TensorInput = requires(In& in, std::string_view name, const tensor_info& tensor, bytes_span to, void* container, append_function append) {
  { in.find(name) } -> std::same_as<const tensor_info*>;  // and notes that somebody claims it
  { in.open(tensor) } -> std::same_as<input_stream>;
  { in.tensor_count() } -> std::same_as<std::uint64_t>;
  { in.data_bytes() } -> std::same_as<std::uint64_t>;
  in.defer_check(tensor);
  in.defer_copy(tensor, to);
  in.defer_append(tensor, container, append);
};


template <TensorInput In>
struct decoder {
  In& in;
  walk_name name;
  std::uint64_t spare = shared_buckets;  ///< that the unordered containers of the archive may still have out of proportion
  int aside = 0;                        ///< above 0: the value goes through user code before it is committed, so it is read at once

  const tensor_info& require(dtype type) {
    const tensor_info* tensor = in.find(name.text());
    if (tensor == nullptr) fail("it is missing");
    if (tensor->type != type) fail("it has another element type", std::string(name_of(type)), std::string(name_of(tensor->type)));
    return *tensor;
  }

  const tensor_info& require(dtype type, const extents& shape) {
    const tensor_info& tensor = require(type);
    if (!std::ranges::equal(tensor.shape, shape.view())) {
      fail("it has another shape", shape_text(type, shape.view()), shape_text(type, tensor.shape));
    }
    return tensor;
  }

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

  std::uint64_t number() {
    input_stream stream = in.open(require(dtype::u64, {}));
    const auto value = load_as<std::uint64_t>(stream.take(8));
    stream.finish();
    return value;
  }

  /// `name#size` of modules, which lie one by one: no more of them than tensors.
  std::uint64_t module_count() {
    const auto scope = name.side("size");
    const std::uint64_t count = number();
    if (count > in.tensor_count()) fail("it asks for more elements than the file has tensors", {}, std::to_string(count));
    return count;
  }

  /// The file's bytes bound how many elements of `size` bytes in memory it can ask for.
  void require_sane(std::uint64_t count, std::size_t size) {
    if (count > max_empty_elements(size) && count > in.data_bytes()) {
      fail("it asks for more elements than the file has bytes", {}, std::to_string(count), errc::limit);
    }
  }

  [[noreturn]] void fail(std::string problem, std::string expected = {}, std::string found = {}, errc code = errc::corrupt) const {
    throw error({.code = code,
                 .tensor = std::string(name.text()),
                 .problem = std::move(problem),
                 .expected = std::move(expected),
                 .found = std::move(found)});
  }

  /// For bytes that are intact but no value: runs to the end of the tensor first, since damage is the better explanation.
  [[noreturn]] void fail_value(input_stream& stream, std::string expected, std::string found = {}) const {
    stream.finish();
    fail("it holds a value that its type cannot have", std::move(expected), std::move(found), errc::invalid_value);
  }
};

}  // namespace tidemark::detail
#endif
