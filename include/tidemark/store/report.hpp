// SPDX-License-Identifier: BSL-1.0
// store/report.hpp: what saving, loading and verifying say of what they did, and how they tell of their progress (floor: store).
#ifndef TIDEMARK_STORE_REPORT_HPP
#define TIDEMARK_STORE_REPORT_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/format/header_writer.hpp>
#include <tidemark/model/evolve_plan.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tidemark {

/// How far an operation is. `restore` reads every byte twice, and counts both.
struct progress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
};

/// Called now and then, about once a MiB, never by two threads at once. An exception from it ends the operation:
/// a save leaves the old checkpoint, a load gives nothing, `restore` in its second pass reports `partly_restored`.
using progress_callback = std::function<void(const progress&)>;

struct save_report {
  std::string destination{};
  std::uint64_t bytes = 0;    ///< of the whole archive
  std::uint64_t tensors = 0;  ///< without the one of the digests
  double seconds = 0;
  durability level = durability::none;  ///< what the archive survives from now on
  digest128 digest{};         ///< over all digests, of a sharded one over those of its shards: equal where state and metadata are
};

struct load_report {
  std::string source{};
  std::uint64_t bytes = 0;
  std::uint64_t tensors = 0;
  std::uint64_t blocks = 0;   ///< digests compared: one for each 16 MiB of each tensor, in each pass
  double seconds = 0;
  bool has_digests = false;   ///< false for a file of another writer: nothing could be checked but its structure
  bool has_schema = false;
  digest128 digest{};         ///< as in the `save_report`; zeros where there are no digests
  metadata_list metadata{};   ///< what the writer added: the step, a metric
  std::vector<evolution_step> evolution{};  ///< what was done since an older version of the type was saved; empty where it was the same
};

}  // namespace tidemark
#endif
