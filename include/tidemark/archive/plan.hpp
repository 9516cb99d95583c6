// SPDX-License-Identifier: BSL-1.0
// archive/plan.hpp: the tensors that a save will write: their names, dtypes and shapes, and where their bytes come from (floor: archive).
#ifndef TIDEMARK_ARCHIVE_PLAN_HPP
#define TIDEMARK_ARCHIVE_PLAN_HPP

#include <tidemark/archive/buckets.hpp>
#include <tidemark/archive/leaves.hpp>
#include <tidemark/core/arena.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/stream.hpp>
#include <tidemark/core/tensor.hpp>

#include <array>
#include <cstdint>
#include <span>
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
  std::uint64_t count() const noexcept;
  [[nodiscard]] extents with(std::uint64_t next) const;
  template <std::size_t N>
  [[nodiscard]] extents with(const std::array<std::uint64_t, N>& more) const {
    extents longer = *this;
    for (const std::uint64_t e : more) longer = longer.with(e);
    return longer;
  }
};

/// The extents behind `prefix` of leaves `E`: scalars or fixed arrays.
template <class E>
extents leaf_shape(const extents& prefix) {
  extents shape = prefix.with(fixed_leaf<E>::extents);
  return leaf_traits<E>::trailing == 0 ? shape : shape.with(leaf_traits<E>::trailing);
}

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
  save_plan();
  save_plan(save_plan&&) noexcept;
  save_plan& operator=(save_plan&&) noexcept;
  ~save_plan();

  void add_bytes(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* bytes);

  /// `produce(output_stream&)` writes exactly the bytes of the shape; it is called once or more, later.
  template <class Produce>
  void add_made(std::string_view name, dtype type, const extents& shape, std::uint8_t element, Produce produce) {
    const auto* kept = arena_.make<Produce>(std::move(produce));
    add(name, type, shape, element, kept, [](const void* p, output_stream& out) { (*static_cast<const Produce*>(p))(out); });
  }

  /// A copy of a number that only the archive knows, such as a size.
  void add_number(std::string_view name, std::uint64_t value);

  /// Keeps a temporary until the save is done.
  template <class T>
  std::remove_cvref_t<T>& keep(T&& value) {
    return *arena_.make<std::remove_cvref_t<T>>(std::forward<T>(value));
  }

  /// Puts the tensors in file order, largest elements first, then as walked, so that every array is aligned.
  void finish();

  std::span<const planned_tensor> tensors() const noexcept;
  /// What is left of the buckets that unordered containers may have out of proportion to their elements.
  std::uint64_t& spare_buckets() noexcept { return spare_buckets_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t rank_of(std::uint8_t element) noexcept {
    return element >= 16 ? 0 : element == 8 ? 1 : element == 4 ? 2 : element == 2 ? 3 : 4;
  }

  void add(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* source,
           planned_tensor::write_function write);

  arena arena_;
  std::vector<planned_tensor> tensors_;
  std::uint64_t bytes_ = 0;
  std::uint64_t spare_buckets_ = shared_buckets;
};

/// The tensors of a plan, or some of them, or copies of them: one behind the other, `bytes` together.
struct plan_view {
  std::span<const planned_tensor> tensors;
  std::uint64_t bytes;

  plan_view(const save_plan& plan);
  plan_view(std::span<const planned_tensor> some, std::uint64_t bytes_together) : tensors(some), bytes(bytes_together) {}
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/plan.ipp>
#endif
#endif
