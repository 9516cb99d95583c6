// SPDX-License-Identifier: BSL-1.0
// store.hpp: facade: save, load, restore, verify, plan, archives in parts and by name, exports and fingerprints.
#ifndef TIDEMARK_STORE_HPP
#define TIDEMARK_STORE_HPP

#include <tidemark/model/schema_text.hpp>
#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/file_digest.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/mapped_file.hpp>
#include <tidemark/sink/memory.hpp>
#include <tidemark/sink/tee.hpp>
#include <tidemark/store/archive_view.hpp>
#include <tidemark/store/export_weights.hpp>
#include <tidemark/store/fingerprint.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/load_tensors.hpp>
#include <tidemark/store/name_map.hpp>
#include <tidemark/store/open.hpp>
#include <tidemark/store/plan.hpp>
#include <tidemark/store/save.hpp>

#endif
