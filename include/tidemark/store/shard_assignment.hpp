// SPDX-License-Identifier: BSL-1.0
// store/shard_assignment.hpp: which tensor goes to which shard (floor: store).
#ifndef TIDEMARK_STORE_SHARD_ASSIGNMENT_HPP
#define TIDEMARK_STORE_SHARD_ASSIGNMENT_HPP

#include <tidemark/archive/plan.hpp>
#include <tidemark/core/error.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// How tensors are dealt out to shards: `balanced`, `round_robin` or `by_group(f)`.
class shard_assignment {
 public:
  enum class way : std::uint8_t { balanced, round_robin, by_group };
  using group_function = std::function<std::string(std::string_view tensor)>;

  static shard_assignment of(way how) { return shard_assignment(how); }
  explicit shard_assignment(group_function group);

  way how() const noexcept { return way_; }
  std::string group_of(std::string_view tensor) const { return group_(tensor); }

 private:
  explicit shard_assignment(way how) : way_(how) {}
  way way_;
  group_function group_;
};

/// Shards of nearly equal bytes: the largest tensor first, each to the shard that has least.
inline const shard_assignment balanced = shard_assignment::of(shard_assignment::way::balanced);
/// Tensor after tensor, in turn.
inline const shard_assignment round_robin = shard_assignment::of(shard_assignment::way::round_robin);
/// All tensors of which `group(name)` is the same text into the same shard (or shards of their own, where they pass `max_shard_bytes`);
/// groups in the order of their first tensor. `.shards` has no meaning then.
inline shard_assignment by_group(shard_assignment::group_function group) { return shard_assignment(std::move(group)); }

namespace detail {

/// The tensors of one shard, in file order, and their bytes together.
struct shard_part {
  std::vector<planned_tensor> tensors;
  std::uint64_t bytes = 0;

  void add(const planned_tensor& t);
};

/// For each tensor its shard, below `shards`. O(n log n).
std::vector<std::size_t> dealt_out(std::span<const planned_tensor> tensors, std::size_t shards, bool in_turn);

std::vector<shard_part> parts_of(std::span<const planned_tensor> tensors, const std::vector<std::size_t>& shard_of, std::size_t shards);

/// A tensor that alone is larger than a shard may be has a shard of its own.
bool is_within(const shard_part& part, std::uint64_t max_bytes);

/// At least one part, none empty but where there are no tensors. Either `shards` or `max_bytes` is not 0, `shards` goes first.
std::vector<shard_part> assign_shards(std::span<const planned_tensor> tensors, std::size_t shards, std::uint64_t max_bytes,
                                      const shard_assignment& assign);

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/shard_assignment.ipp>
#endif
#endif
