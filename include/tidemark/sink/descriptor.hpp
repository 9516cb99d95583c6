// SPDX-License-Identifier: BSL-1.0
// sink/descriptor.hpp: an open file or folder that closes itself (floor: sink).
#ifndef TIDEMARK_SINK_DESCRIPTOR_HPP
#define TIDEMARK_SINK_DESCRIPTOR_HPP

#include <tidemark/sink/file_ops.hpp>

#include <utility>

namespace tidemark::detail {

template <class Ops>
class descriptor {
 public:
  explicit descriptor(Ops ops, int number = -1) noexcept : ops_(std::move(ops)), number_(number) {}
  descriptor(descriptor&& other) noexcept : ops_(other.ops_), number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    if (this != &other) {
      close();
      ops_ = other.ops_;
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~descriptor() {
    if (is_open()) ops_.close(number_);
  }

  int get() const noexcept { return number_; }
  bool is_open() const noexcept { return number_ >= 0; }
  const Ops& ops() const noexcept { return ops_; }

  /// Closes and reports what `close` returned, for those who must know. It is closed afterwards in any case.
  int close() noexcept { return is_open() ? ops_.close(std::exchange(number_, -1)) : 0; }

 private:
  [[no_unique_address]] Ops ops_;
  int number_;
};

}  // namespace tidemark::detail
#endif
