// SPDX-License-Identifier: BSL-1.0
// checkpointable.hpp: facade: all that a header needs which only declares Checkpointable types.
#ifndef TIDEMARK_CHECKPOINTABLE_HPP
#define TIDEMARK_CHECKPOINTABLE_HPP

#include <tidemark/model/checkpointable.hpp>
#include <tidemark/model/evolution.hpp>
#include <tidemark/model/represent.hpp>

#endif
