// SPDX-License-Identifier: BSL-1.0
// run.hpp: facade: the checkpoints of a run: when they are saved, which are kept, how a run goes on from them.
#ifndef TIDEMARK_RUN_HPP
#define TIDEMARK_RUN_HPP

#include <tidemark/run/append_log.hpp>
#include <tidemark/run/checkpointer.hpp>
#include <tidemark/run/estimate.hpp>
#include <tidemark/run/input_file.hpp>
#include <tidemark/run/resume.hpp>
#include <tidemark/run/scan.hpp>
#include <tidemark/sink/measure_bandwidth.hpp>
#include <tidemark/sink/stop_signals.hpp>

#endif
