// SPDX-License-Identifier: BSL-1.0
// archive/plan.hpp: the tensors that a save will write: their names, dtypes and shapes, and where their bytes come from (floor: archive).
#ifndef TIDEMARK_ARCHIVE_PLAN_HPP
#define TIDEMARK_ARCHIVE_PLAN_HPP

#include <tidemark/archive/buckets.hpp>
#include <tidemark/core/arena.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/stream.hpp>
#include <tidemark/core/tensor.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// A shape under construction.
struct extents {
  static constexpr std::size_t max_rank = 24;
  std::array<std::uint64_t, max_rank> at{};
  std::size_t rank = 0;

  extents() = default;
  explicit extents(std::uint64_t first) : rank(1) { at[0] = first; }

  std::span<const std::uint64_t> view() const noexcept { return {at.data(), rank}; }
  std::uint64_t count() const noexcept {
    std::uint64_t n = 1;
    for (std::size_t i = 0; i < rank; ++i) n *= at[i];
    return n;
  }
  [[nodiscard]] extents with(std::uint64_t next) const {
    if (rank == max_rank) throw error({.code = errc::limit, .problem = "an array of more than 24 dimensions"});
    extents longer = *this;
    longer.at[longer.rank++] = next;
    return longer;
  }
  template <std::size_t N>
  [[nodiscard]] extents with(const std::array<std::uint64_t, N>& more) const {
    extents longer = *this;
    for (const std::uint64_t e : more) longer = longer.with(e);
    return longer;
  }
};

/// One tensor to be written: its bytes in memory, or a function that makes them.
struct planned_tensor {
  using write_function = void (*)(const void* source, output_stream& out);

  tensor_info info;
  std::uint8_t element_bytes = 1;
  const void* source = nullptr;
  write_function write = nullptr;  ///< null: `info.bytes` bytes lie at `source`
};

/// Grows while a value is walked. Points into that value: it must not change until the save is done.
class save_plan {
 public:
  void add_bytes(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* bytes) {
    add(name, type, shape, element, bytes, nullptr);
  }

  /// `produce(output_stream&)` writes exactly the bytes of the shape; it is called once or more, later.
  template <class Produce>
  void add_made(std::string_view name, dtype type, const extents& shape, std::uint8_t element, Produce produce) {
    const auto* kept = arena_.make<Produce>(std::move(produce));
    add(name, type, shape, element, kept, [](const void* p, output_stream& out) { (*static_cast<const Produce*>(p))(out); });
  }

  /// A copy of a number that only the archive knows, such as a size.
  void add_number(std::string_view name, std::uint64_t value) {
    add_bytes(name, dtype::u64, {}, 8, arena_.make<std::uint64_t>(value));
  }

  /// Keeps a temporary until the save is done.
  template <class T>
  std::remove_cvref_t<T>& keep(T&& value) {
    return *arena_.make<std::remove_cvref_t<T>>(std::forward<T>(value));
  }

  /// Puts the tensors in file order, largest elements first, then as walked, so that every array is aligned.
  void finish() {
    std::array<std::size_t, 5> starts{};  // of the elements of 16, 8, 4, 2 and 1 bytes
    for (const auto& t : tensors_) ++starts[rank_of(t.element_bytes)];
    std::size_t sum = 0;
    for (auto& s : starts) sum += std::exchange(s, sum);
    std::vector<planned_tensor> ordered(tensors_.size());
    for (const auto& t : tensors_) ordered[starts[rank_of(t.element_bytes)]++] = t;
    tensors_ = std::move(ordered);
    bytes_ = 0;
    for (auto& t : tensors_) {
      t.info.offset = bytes_;
      bytes_ += t.info.bytes;
    }
  }

  std::span<const planned_tensor> tensors() const noexcept { return tensors_; }
  /// What is left of the buckets that unordered containers may have out of proportion to their elements.
  std::uint64_t& spare_buckets() noexcept { return spare_buckets_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t rank_of(std::uint8_t element) noexcept {
    return element >= 16 ? 0 : element == 8 ? 1 : element == 4 ? 2 : element == 2 ? 3 : 4;
  }

  void add(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* source,
           planned_tensor::write_function write) {
    bool fits = true;
    const std::uint64_t bytes = tensor_bytes(type, shape.view(), fits);
    if (!fits) throw error({.code = errc::limit, .tensor = std::string(name), .problem = "the tensor is larger than 2^64 bytes"});
    if (tensors_.empty()) tensors_.reserve(64);
    tensors_.push_back({{arena_.copy(name), type, arena_.copy(shape.view()), 0, bytes}, element, source, write});
  }

  arena arena_;
  std::vector<planned_tensor> tensors_;
  std::uint64_t bytes_ = 0;
  std::uint64_t spare_buckets_ = shared_buckets;
};

/// The tensors of a plan, or some of them, or copies of them: one behind the other, `bytes` together.
struct plan_view {
  std::span<const planned_tensor> tensors;
  std::uint64_t bytes;

  plan_view(const save_plan& plan) : tensors(plan.tensors()), bytes(plan.bytes()) {}
  plan_view(std::span<const planned_tensor> some, std::uint64_t bytes_together) : tensors(some), bytes(bytes_together) {}
};

}  // namespace tidemark::detail
#endif
