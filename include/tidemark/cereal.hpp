// SPDX-License-Identifier: BSL-1.0
// cereal.hpp: types stored by their cereal functions, where they opt in with use_cereal<T> (facade: includes only).
#ifndef TIDEMARK_CEREAL_HPP
#define TIDEMARK_CEREAL_HPP

#include <tidemark/cereal/opt_in.hpp>

#endif
