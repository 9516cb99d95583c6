// SPDX-License-Identifier: BSL-1.0
// rng.hpp: the engines and distributions of <random> as state that resumes bit for bit (facade: includes only).
#ifndef TIDEMARK_RNG_HPP
#define TIDEMARK_RNG_HPP

#include <tidemark/rng/linear_congruential.hpp>
#include <tidemark/rng/mersenne_twister.hpp>
#include <tidemark/rng/normal_distribution.hpp>
#include <tidemark/rng/parameter_distributions.hpp>

#endif
