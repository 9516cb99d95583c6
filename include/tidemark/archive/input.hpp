// SPDX-License-Identifier: BSL-1.0
// archive/input.hpp: the bytes of one tensor, taken in order while they arrive in pieces (floor: archive).
#ifndef TIDEMARK_ARCHIVE_INPUT_HPP
#define TIDEMARK_ARCHIVE_INPUT_HPP

#include <tidemark/core/bytes.hpp>

#include <cstddef>
#include <cstdint>

namespace tidemark::detail {

/// `next(context)` gives the next piece, not empty, each time the last one is used up; it throws `error` for damage.
class input_stream {
 public:
  using next_function = bytes_view (*)(void* context);

  input_stream(std::uint64_t bytes, next_function next, void* context) noexcept : left_(bytes), next_(next), context_(context) {}

  /// The next `n` bytes, at most 32, in one piece; valid until the next call.
  const std::byte* take(std::size_t n);

  void copy(bytes_span to);

  void skip(std::uint64_t n);

  /// Runs to the end, so that every byte has been checked against its digest.
  void finish() { skip(piece_.size() + left_); }

  /// At most `n` of the next bytes, at least one.
  bytes_view some(std::uint64_t n);

 private:
  bytes_view piece_;
  std::uint64_t left_;
  next_function next_;
  void* context_;
  std::byte carry_[32];
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/input.ipp>
#endif
#endif
