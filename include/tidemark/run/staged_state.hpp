// SPDX-License-Identifier: BSL-1.0
// run/staged_state.hpp: a copy of everything that a save would write, made at memory speed into memory that is used again (floor: run).
#ifndef TIDEMARK_RUN_STAGED_STATE_HPP
#define TIDEMARK_RUN_STAGED_STATE_HPP

#include <tidemark/archive/plan.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/store/task_threads.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// The bytes lie as in the data section of a file. They are hashed only when they are written, by another thread.
class staged_state {
 public:
  /// Copies what `plan` points to, with up to `threads` threads; afterwards the state may change. Memory: that of the arrays; kept, and
  /// used again by the next call. Code of the user that makes bytes runs in this thread. Throws `error` (invalid_value), bad_alloc.
  void take(save_plan plan, unsigned threads) {
    const auto bytes = static_cast<std::size_t>(plan.bytes());
    if (bytes > capacity_) {
      memory_.reset();  // never two at once
      memory_.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment})));
      capacity_ = bytes;
    }
    plan_ = std::move(plan);
    tensors_.assign(plan_.tensors().begin(), plan_.tensors().end());
    cut();
    task_threads workers;
    workers.run(pieces_.size(), bytes < parallel_from ? 1 : threads, [&](auto next) {
      for (std::size_t i; (i = next()) < pieces_.size();) std::memcpy(pieces_[i].to, pieces_[i].from, pieces_[i].bytes);
    });
  }

  /// As `save_plan` has them; the bytes lie here. Valid until the next `take`.
  std::span<const planned_tensor> tensors() const noexcept { return tensors_; }
  std::uint64_t bytes() const noexcept { return plan_.bytes(); }
  /// Of memory that is held, in use or not.
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  static constexpr std::size_t alignment = 4096;
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;
  static constexpr std::size_t parallel_from = std::size_t{32} << 20;

  struct piece {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
  };
  struct free_memory {
    void operator()(std::byte* memory) const noexcept { ::operator delete(memory, std::align_val_t{alignment}); }
  };

  /// Bytes that user code or a gathering loop makes go to their place at once; those that lie in memory become pieces to copy.
  void cut() {
    pieces_.clear();
    for (planned_tensor& t : tensors_) {
      std::byte* const to = memory_.get() + t.info.offset;
      const auto bytes = static_cast<std::size_t>(t.info.bytes);
      if (t.write != nullptr && bytes != 0) make(t, {to, bytes});
      for (std::size_t at = 0; t.write == nullptr && at < bytes; at += piece_bytes) {
        pieces_.push_back({to + at, static_cast<const std::byte*>(t.source) + at, (std::min)(piece_bytes, bytes - at)});
      }
      t.source = to;
      t.write = nullptr;
    }
  }

  static void make(const planned_tensor& t, bytes_span into) {
    const auto take = [](void* context, bytes_view made) {
      auto& left = *static_cast<bytes_span*>(context);
      if (made.size() > left.size()) fail();
      std::memcpy(left.data(), made.data(), made.size());
      left = left.subspan(made.size());
    };
    std::byte buffer[4096];
    output_stream out(buffer, take, &into);
    t.write(t.source, out);
    out.flush();
    if (!into.empty()) fail();
  }

  [[noreturn]] static void fail() {
    throw error({.code = errc::invalid_value, .problem = "the state changed while it was being copied", .advice = "Let no other thread change it until the call returns."});
  }

  save_plan plan_;  // whose names and shapes the tensors have
  std::vector<planned_tensor> tensors_;
  std::vector<piece> pieces_;
  std::unique_ptr<std::byte, free_memory> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace tidemark::detail
#endif
