// SPDX-License-Identifier: BSL-1.0
// tests/share.hpp: how much of a long walk a build takes: all of it, or one case in TIDEMARK_SHARE, as `make test` has it under the sanitizers.
#ifndef TIDEMARK_TESTS_SHARE_HPP
#define TIDEMARK_TESTS_SHARE_HPP

#include <cstddef>
#include <cstdlib>

namespace scratch {

/// One case in so many. A walk over positions takes it as its step, a walk of random cases `share_of` them. 1 unless the environment says otherwise.
inline std::size_t share() {
  const char* const said = std::getenv("TIDEMARK_SHARE");
  const std::size_t given = said ? std::strtoul(said, nullptr, 10) : 1;
  return given ? given : 1;
}

/// Of so many random cases.
inline int share_of(int cases) { return cases / static_cast<int>(share()); }

}  // namespace scratch
#endif
