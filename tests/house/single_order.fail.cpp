// SPDX-License-Identifier: BSL-1.0
// The single header before parts of the library is enough for them; after one it stops with a sentence.
// expect: include the single header first, or the parts alone
#ifdef MUST_FAIL
#include <tidemark/core/sink.hpp>
#endif
#include "../../single_include/tidemark/tidemark.hpp"

#include <tidemark/core/sink.hpp>
#include <tidemark/rng/checks.hpp>
#include <tidemark/tidemark.hpp>

static_assert(tidemark::Checkpointable<int>);
