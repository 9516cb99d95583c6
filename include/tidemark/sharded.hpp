// SPDX-License-Identifier: BSL-1.0
// sharded.hpp: facade: a state as a folder of safetensors files, saved and loaded.
#ifndef TIDEMARK_SHARDED_HPP
#define TIDEMARK_SHARDED_HPP

#include <tidemark/store/load.hpp>
#include <tidemark/store/sharded_directory.hpp>
#include <tidemark/store/sharded_source.hpp>

#endif
