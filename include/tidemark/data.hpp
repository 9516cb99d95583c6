// SPDX-License-Identifier: BSL-1.0
// data.hpp: everything of the data floor: samplers that resume at any item (facade: includes only).
#ifndef TIDEMARK_DATA_HPP
#define TIDEMARK_DATA_HPP

#include <tidemark/data/shuffled_sampler.hpp>

#endif
