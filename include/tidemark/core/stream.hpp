// SPDX-License-Identifier: BSL-1.0
// core/stream.hpp: a small buffer between code that makes bytes one by one and code that takes them in pieces (floor: core).
#ifndef TIDEMARK_CORE_STREAM_HPP
#define TIDEMARK_CORE_STREAM_HPP

#include <tidemark/core/bytes.hpp>

#include <cstring>
#include <utility>

namespace tidemark::detail {

/// Collects bytes in `buffer` and hands full buffers, or large pieces whole, to `take`. The owner calls `flush` at the end.
class output_stream {
 public:
  using take_function = void (*)(void* context, bytes_view piece);

  output_stream(bytes_span buffer, take_function take, void* context) noexcept : buffer_(buffer), take_(take), context_(context) {}

  void write(bytes_view bytes) {
    if (bytes.empty()) return;
    if (bytes.size() > buffer_.size() - used_) flush();
    if (bytes.size() >= buffer_.size()) return take_(context_, bytes);
    std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  template <class T>
  void put(const T& value) {
    if (sizeof(T) > buffer_.size() - used_) flush();
    std::memcpy(buffer_.data() + used_, &value, sizeof(T));
    used_ += sizeof(T);
  }

  void flush() {
    if (used_ != 0) take_(context_, buffer_.first(std::exchange(used_, 0)));
  }

 private:
  bytes_span buffer_;
  take_function take_;
  void* context_;
  std::size_t used_ = 0;
};

}  // namespace tidemark::detail
#endif
