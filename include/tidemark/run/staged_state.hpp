// SPDX-License-Identifier: BSL-1.0
// run/staged_state.hpp: a copy of everything that a save would write, made at memory speed into memory that is used again (floor: run).
#ifndef TIDEMARK_RUN_STAGED_STATE_HPP
#define TIDEMARK_RUN_STAGED_STATE_HPP

#include <tidemark/archive/plan.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tidemark::detail {

/// The bytes lie as in the data section of a file. They are hashed only when they are written, by another thread.
class staged_state {
 public:
  /// Copies what `plan` points to, with up to `threads` threads; afterwards the state may change. Memory: that of the arrays; kept, and
  /// used again by the next call. Code of the user that makes bytes runs in this thread. Throws `error` (invalid_value), bad_alloc.
  void take(save_plan plan, unsigned threads);

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
  void cut();

  static void make(const planned_tensor& t, bytes_span into);

  [[noreturn]] static void fail();

  save_plan plan_;  // whose names and shapes the tensors have
  std::vector<planned_tensor> tensors_;
  std::vector<piece> pieces_;
  std::unique_ptr<std::byte, free_memory> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/staged_state.ipp>
#endif
#endif
