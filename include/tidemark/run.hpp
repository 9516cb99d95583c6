// SPDX-License-Identifier: BSL-1.0
// run.hpp: the checkpoints of a run: when they are saved, which are kept, how a run goes on from them.
#ifndef TIDEMARK_RUN_HPP
#define TIDEMARK_RUN_HPP

#include <tidemark/run/checkpointer.hpp>
#include <tidemark/run/resume.hpp>
#include <tidemark/run/scan.hpp>

#endif
