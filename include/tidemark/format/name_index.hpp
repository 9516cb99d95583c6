// SPDX-License-Identifier: BSL-1.0
// format/name_index.hpp: finds a tensor by name, and the order of the names (floor: format).
#ifndef TIDEMARK_FORMAT_NAME_INDEX_HPP
#define TIDEMARK_FORMAT_NAME_INDEX_HPP

#include <tidemark/core/tensor.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tidemark::detail {

/// A hash table from names to positions, filled once. Lookup in constant expected time.
class name_index {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  name_index() = default;
  explicit name_index(std::size_t capacity) : slots_(std::bit_ceil(capacity * 2 + 2), none) {}

  /// False where the name is there already.
  bool insert(std::span<const tensor_info> tensors, std::uint32_t position);

  std::uint32_t find(std::span<const tensor_info> tensors, std::string_view name) const noexcept;

 private:
  std::uint32_t slot_of(std::span<const tensor_info> tensors, std::string_view name) const noexcept;

  std::vector<std::uint32_t> slots_;
};

/// Sorts by merging the runs that are in order already. A walk gives names nearly sorted, so that there are few.
template <class T, class Less>
void merge_sort_runs(std::vector<T>& values, Less less) {
  std::vector<std::size_t> starts;
  starts.reserve(32);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || less(values[i], values[i - 1])) starts.push_back(i);
  }
  std::vector<T> merged(starts.size() > 1 ? values.size() : 0);
  const auto at = [](std::vector<T>& all, std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  while (starts.size() > 1) {
    const auto start = [&](std::size_t run) { return run < starts.size() ? starts[run] : values.size(); };
    std::size_t left = 0;
    for (std::size_t r = 0; r < starts.size(); r += 2) {
      std::merge(at(values, start(r)), at(values, start(r + 1)), at(values, start(r + 1)), at(values, start(r + 2)), at(merged, start(r)), less);
      starts[left++] = start(r);
    }
    values.swap(merged);
    starts.resize(left);
  }
}

/// Positions of the tensors in the order of their names' bytes. O(n log r) for names in r runs.
std::vector<std::uint32_t> order_by_name(std::span<const tensor_info> tensors);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/name_index.ipp>
#endif
#endif
