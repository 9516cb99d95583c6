// SPDX-License-Identifier: BSL-1.0
// definitions.hpp: facade: what a program compiled with TIDEMARK_COMPILED includes in one source file: every definition that is compiled once.
#ifndef TIDEMARK_DEFINITIONS_HPP
#define TIDEMARK_DEFINITIONS_HPP

#ifndef TIDEMARK_COMPILED
#error "tidemark: definitions.hpp is for the one source file that compiles the library; compile it, and all others, with -DTIDEMARK_COMPILED"
#endif

#include <tidemark/core/arena.ipp>
#include <tidemark/core/bytes.ipp>
#include <tidemark/core/digest.ipp>
#include <tidemark/core/error.ipp>
#include <tidemark/model/evolve_plan.ipp>
#include <tidemark/model/named_tensors.ipp>
#include <tidemark/model/schema.ipp>
#include <tidemark/model/schema_diff.ipp>
#include <tidemark/model/schema_of.ipp>
#include <tidemark/model/schema_text.ipp>
#include <tidemark/archive/borrowed.ipp>
#include <tidemark/archive/common_types.ipp>
#include <tidemark/archive/decoder.ipp>
#include <tidemark/archive/input.ipp>
#include <tidemark/archive/names.ipp>
#include <tidemark/archive/number.ipp>
#include <tidemark/archive/pack.ipp>
#include <tidemark/archive/plan.ipp>
#include <tidemark/archive/repack.ipp>
#include <tidemark/archive/schema_layout.ipp>
#include <tidemark/archive/stored_column.ipp>
#include <tidemark/archive/stored_record.ipp>
#include <tidemark/archive/unpack.ipp>
#include <tidemark/format/digests.ipp>
#include <tidemark/format/header.ipp>
#include <tidemark/format/header_writer.ipp>
#include <tidemark/format/manifest.ipp>
#include <tidemark/format/name_index.ipp>
#include <tidemark/sink/memory.ipp>
#include <tidemark/sink/path.ipp>
#include <tidemark/sink/stop_signals.ipp>
#include <tidemark/sink/system_error.ipp>
#include <tidemark/store/archive_reader.ipp>
#include <tidemark/store/archive_view.ipp>
#include <tidemark/store/archive_writer.ipp>
#include <tidemark/store/bulk_reader.ipp>
#include <tidemark/store/file_digests.ipp>
#include <tidemark/store/identity.ipp>
#include <tidemark/store/load.ipp>
#include <tidemark/store/name_map.ipp>
#include <tidemark/store/open.ipp>
#include <tidemark/store/opened_archive.ipp>
#include <tidemark/store/part.ipp>
#include <tidemark/store/progress_meter.ipp>
#include <tidemark/store/save.ipp>
#include <tidemark/store/shard_assignment.ipp>
#include <tidemark/store/sharded_directory.ipp>
#include <tidemark/store/source_ref.ipp>
#include <tidemark/store/tensor_filler.ipp>
#include <tidemark/run/append_log.ipp>
#include <tidemark/run/background_queue.ipp>
#include <tidemark/run/estimate.ipp>
#include <tidemark/run/options.ipp>
#include <tidemark/run/retention.ipp>
#include <tidemark/run/staged_state.ipp>

#endif
