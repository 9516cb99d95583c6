// SPDX-License-Identifier: BSL-1.0
// rng/checks.ipp: the definitions of checks.hpp (floor: rng).
#ifndef TIDEMARK_RNG_CHECKS_IPP
#define TIDEMARK_RNG_CHECKS_IPP

#include <tidemark/rng/checks.hpp>

#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void refuse_random_state(std::string_view name, std::string field, std::string problem,
                                                             std::string expected, std::string found) {
  throw error({.code = errc::invalid_value, .action = "use the state of " + std::string(name), .tensor = std::move(field),
               .problem = std::move(problem), .expected = std::move(expected), .found = std::move(found)});
}

}  // namespace tidemark::detail
#endif
