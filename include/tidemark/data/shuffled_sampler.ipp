// SPDX-License-Identifier: BSL-1.0
// data/shuffled_sampler.ipp: the definitions of shuffled_sampler.hpp (floor: data).
#ifndef TIDEMARK_DATA_SHUFFLED_SAMPLER_IPP
#define TIDEMARK_DATA_SHUFFLED_SAMPLER_IPP

#include <tidemark/data/shuffled_sampler.hpp>

#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark {

TIDEMARK_DETAIL_INLINE void shuffled_sampler::restore(const shuffled_sampler_state& state) {
  if (state.size == 0 && state.epoch != 0) refuse("epoch", "an empty sampler has no epochs", "0", state.epoch);
  if (state.size == 0 ? state.cursor != 0 : state.cursor >= state.size) {
    refuse("cursor", "outside the epoch", state.size == 0 ? "0" : "0.." + std::to_string(state.size - 1), state.cursor);
  }
  at_ = state;
  enter_epoch();
}

TIDEMARK_DETAIL_INLINE void shuffled_sampler::refuse_position(std::uint64_t position) const {
  throw error({.code = errc::invalid_value, .action = "use a shuffled_sampler",
               .problem = at_.size == 0 ? "it is empty" : "position outside the epoch",
               .expected = at_.size == 0 ? "a size of at least 1" : "0.." + std::to_string(at_.size - 1),
               .found = std::to_string(at_.size == 0 ? 0 : position)});
}

TIDEMARK_DETAIL_INLINE void shuffled_sampler::refuse(std::string field, std::string problem, std::string expected, std::uint64_t found) {
  throw error({.code = errc::invalid_value, .action = "restore a shuffled_sampler", .tensor = std::move(field),
               .problem = std::move(problem), .expected = std::move(expected), .found = std::to_string(found)});
}

}  // namespace tidemark
#endif
