// SPDX-License-Identifier: BSL-1.0
// archive/input.hpp: the bytes of one tensor, taken in order while they arrive in pieces (floor: archive).
#ifndef TIDEMARK_ARCHIVE_INPUT_HPP
#define TIDEMARK_ARCHIVE_INPUT_HPP

#include <tidemark/core/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tidemark::detail {

/// `next(context)` gives the next piece, not empty, each time the last one is used up; it throws `error` for damage.
class input_stream {
 public:
  using next_function = bytes_view (*)(void* context);

  input_stream(std::uint64_t bytes, next_function next, void* context) noexcept : left_(bytes), next_(next), context_(context) {}

  /// The next `n` bytes, at most 32, in one piece; valid until the next call.
  const std::byte* take(std::size_t n) {
    if (piece_.size() >= n) {
      const std::byte* at = piece_.data();
      piece_ = piece_.subspan(n);
      return at;
    }
    copy({carry_, n});
    return carry_;
  }

  void copy(bytes_span to) {
    while (!to.empty()) {
      const bytes_view part = some(to.size());
      std::memcpy(to.data(), part.data(), part.size());
      to = to.subspan(part.size());
    }
  }

  void skip(std::uint64_t n) {
    while (n != 0) n -= some(n).size();
  }

  /// Runs to the end, so that every byte has been checked against its digest.
  void finish() { skip(piece_.size() + left_); }

  /// At most `n` of the next bytes, at least one.
  bytes_view some(std::uint64_t n) {
    if (piece_.empty()) {
      piece_ = next_(context_);
      left_ -= piece_.size();
    }
    const bytes_view part = piece_.first(static_cast<std::size_t>(std::min<std::uint64_t>(n, piece_.size())));
    piece_ = piece_.subspan(part.size());
    return part;
  }

 private:
  bytes_view piece_;
  std::uint64_t left_;
  next_function next_;
  void* context_;
  std::byte carry_[32];
};

}  // namespace tidemark::detail
#endif
