// SPDX-License-Identifier: BSL-1.0
// data/shuffled_sampler.hpp: every index of a data set once an epoch, in an order new in every epoch, resumable at any item (floor: data).
#ifndef TIDEMARK_DATA_SHUFFLED_SAMPLER_HPP
#define TIDEMARK_DATA_SHUFFLED_SAMPLER_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/data/keyed_permutation.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {

/// All that a `shuffled_sampler` is, as it is stored.
struct shuffled_sampler_state {
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  std::uint64_t cursor = 0;  ///< of the next item in `epoch`, below `size`

  friend bool operator==(const shuffled_sampler_state&, const shuffled_sampler_state&) = default;
};

/// Hands out 0 .. size-1 in an order that only (size, seed, epoch) decide: the same from every compiler, on every machine.
///
/// The order is computed (see data/keyed_permutation.hpp), not stored: 64 bytes for any size, and any position of any epoch at
/// once. After the last item of an epoch the state is the first item of the next, so that a resumed loop drops and repeats
/// nothing. A data set of another size has another order: compare `size()` after a restore.
class shuffled_sampler {
 public:
  /// In the schema; the number changes whenever the order does.
  static constexpr std::string_view checkpoint_name = "shuffled_sampler.1";

  /// Empty: has no next item.
  shuffled_sampler() = default;

  /// At item 0 of epoch 0.
  shuffled_sampler(std::uint64_t size, std::uint64_t seed) : at_{size, seed, 0, 0} { enter_epoch(); }

  /// The next index, below `size()`. Constant expected time. Throws `error` (`invalid_value`) when the sampler is empty.
  std::uint64_t next() {
    require_position(at_.cursor);
    const std::uint64_t index = order_(at_.cursor);
    if (++at_.cursor == at_.size) {
      at_.cursor = 0;
      ++at_.epoch;
      enter_epoch();
    }
    return index;
  }

  /// Of the item that `next` will hand out. Epochs wrap after 2^64.
  std::uint64_t epoch() const noexcept { return at_.epoch; }

  /// Position in the epoch of the item that `next` will hand out: 0 .. size-1.
  std::uint64_t cursor() const noexcept { return at_.cursor; }

  std::uint64_t size() const noexcept { return at_.size; }
  std::uint64_t seed() const noexcept { return at_.seed; }

  /// The index at `position` of `epoch`, wherever the sampler stands. Constant expected time.
  /// Throws `error` (`invalid_value`) unless `position` is below `size()`.
  std::uint64_t at(std::uint64_t epoch, std::uint64_t position) const {
    require_position(position);
    return detail::keyed_permutation(at_.size, at_.seed, epoch)(position);
  }

  /// Makes `next` hand out `at(epoch, position)`. Constant time. Throws `error` (`invalid_value`) and stays where it is unless
  /// `position` is below `size()`.
  void seek(std::uint64_t epoch, std::uint64_t position) {
    require_position(position);
    at_.epoch = epoch;
    at_.cursor = position;
    enter_epoch();
  }

  shuffled_sampler_state snapshot() const noexcept { return at_; }

  /// Becomes the sampler that `state` was taken of, size and seed included. Throws `error` (`invalid_value`) and changes nothing
  /// when none has such a state.
  void restore(const shuffled_sampler_state& state);

  friend bool operator==(const shuffled_sampler& a, const shuffled_sampler& b) noexcept { return a.at_ == b.at_; }

 private:
  void enter_epoch() noexcept {
    order_ = at_.size == 0 ? detail::keyed_permutation() : detail::keyed_permutation(at_.size, at_.seed, at_.epoch);
  }

  void require_position(std::uint64_t position) const {
    if (position >= at_.size) refuse_position(position);
  }

  [[noreturn]] void refuse_position(std::uint64_t position) const;

  [[noreturn]] static void refuse(std::string field, std::string problem, std::string expected, std::uint64_t found);

  shuffled_sampler_state at_;
  detail::keyed_permutation order_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/data/shuffled_sampler.ipp>
#endif
#endif
