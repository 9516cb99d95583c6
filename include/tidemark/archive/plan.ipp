// SPDX-License-Identifier: BSL-1.0
// archive/plan.ipp: the definitions of plan.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_PLAN_IPP
#define TIDEMARK_ARCHIVE_PLAN_IPP

#include <tidemark/archive/plan.hpp>

#include <tidemark/core/linkage.hpp>

#include <string>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::uint64_t extents::count() const noexcept {
  std::uint64_t n = 1;
  for (std::size_t i = 0; i < rank; ++i) n *= at[i];
  return n;
}

TIDEMARK_DETAIL_INLINE extents extents::with(std::uint64_t next) const {
  if (rank == max_rank) throw error({.code = errc::limit, .problem = "an array of more than 24 dimensions"});
  extents longer = *this;
  longer.at[longer.rank++] = next;
  return longer;
}

TIDEMARK_DETAIL_INLINE void save_plan::add_bytes(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* bytes) {
  add(name, type, shape, element, bytes, nullptr);
}

TIDEMARK_DETAIL_INLINE void save_plan::add_number(std::string_view name, std::uint64_t value) {
  add_bytes(name, dtype::u64, {}, 8, arena_.make<std::uint64_t>(value));
}

TIDEMARK_DETAIL_INLINE void save_plan::finish() {
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

TIDEMARK_DETAIL_INLINE void save_plan::add(std::string_view name, dtype type, const extents& shape, std::uint8_t element, const void* source,
                                           planned_tensor::write_function write) {
  bool fits = true;
  const std::uint64_t bytes = tensor_bytes(type, shape.view(), fits);
  if (!fits) throw error({.code = errc::limit, .tensor = std::string(name), .problem = "the tensor is larger than 2^64 bytes"});
  if (tensors_.empty()) tensors_.reserve(64);
  tensors_.push_back({{arena_.copy(name), type, arena_.copy(shape.view()), 0, bytes}, element, source, write});
}

TIDEMARK_DETAIL_INLINE save_plan::save_plan() = default;
TIDEMARK_DETAIL_INLINE save_plan::save_plan(save_plan&&) noexcept = default;
TIDEMARK_DETAIL_INLINE save_plan& save_plan::operator=(save_plan&&) noexcept = default;
TIDEMARK_DETAIL_INLINE save_plan::~save_plan() = default;

TIDEMARK_DETAIL_INLINE std::span<const planned_tensor> save_plan::tensors() const noexcept { return tensors_; }

TIDEMARK_DETAIL_INLINE plan_view::plan_view(const save_plan& plan) : tensors(plan.tensors()), bytes(plan.bytes()) {}

}  // namespace tidemark::detail
#endif
