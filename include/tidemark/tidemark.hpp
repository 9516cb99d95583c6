// SPDX-License-Identifier: BSL-1.0
// tidemark.hpp: facade: everything but the optional components.
#ifndef TIDEMARK_TIDEMARK_HPP
#define TIDEMARK_TIDEMARK_HPP

#include <tidemark/checkpointable.hpp>
#include <tidemark/core/version.hpp>
#include <tidemark/data.hpp>
#include <tidemark/model/array_blocks.hpp>
#include <tidemark/model/named_tensors.hpp>
#include <tidemark/rng.hpp>
#include <tidemark/run.hpp>
#include <tidemark/sharded.hpp>
#include <tidemark/sink/counting.hpp>
#include <tidemark/sink/throttle.hpp>
#include <tidemark/store.hpp>

#endif
