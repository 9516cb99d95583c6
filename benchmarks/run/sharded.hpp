// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/sharded.hpp: a large state as four shards, beside one file and beside torch's distributed checkpoint.
#ifndef TIDEMARK_BENCHMARKS_RUN_SHARDED_HPP
#define TIDEMARK_BENCHMARKS_RUN_SHARDED_HPP

#include <tidemark/run.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "../child.hpp"
#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "../store/durable_save.hpp"
#include "../store/large_state.hpp"

namespace bench {

/// torch.distributed.checkpoint in a process that times itself, with the syncs that a durable save needs.
class dcp_peer {
 public:
  static std::unique_ptr<dcp_peer> find(const options& o, std::uint64_t bytes) {
    const std::string python = o.python.empty() ? "python3" : o.python;
    if (child_process({python, "-c", "import torch.distributed.checkpoint"}, true).wait() != 0) return nullptr;
    return std::unique_ptr<dcp_peer>(new dcp_peer(python, bytes));
  }

  double save(const std::filesystem::path& folder) { return ask("save " + folder.string()); }
  double load(const std::filesystem::path& folder) { return ask("load " + folder.string()); }

 private:
  dcp_peer(const std::string& python, std::uint64_t bytes) : process_({python, "-c", script, std::to_string(bytes / 64)}) {
    if (process_.hear() != "ready") throw std::runtime_error("torch.distributed.checkpoint did not start");
  }
  double ask(const std::string& what) {
    process_.say(what);
    return process_.hear_number();
  }

  static constexpr const char* script = R"(
import sys, time, warnings
warnings.filterwarnings("ignore")
import torch, torch.distributed.checkpoint as dcp
count = int(sys.argv[1])
state = {chr(97 + i): torch.arange(count, dtype=torch.float32) + i for i in range(16)}
print("ready", flush=True)
for line in sys.stdin:
    action, path = line.rstrip("\n").split(" ", 1)
    start = time.perf_counter()
    if action == "save":
        dcp.save(state, storage_writer=dcp.FileSystemWriter(path, single_file_per_rank=False, sync_files=True, thread_count=4))
    else:
        dcp.load(state, storage_reader=dcp.FileSystemReader(path))
    print(time.perf_counter() - start, flush=True)
)";
  child_process process_;
};

/// Durable saves; what the last round wrote stays.
inline race sharded_saves(const options& o, const scratch_folder& folder, large_state& state, std::uint64_t bytes, dcp_peer* peer) {
  const auto file = folder / "one.safetensors", shards = folder / "four", dcp = folder / "dcp";
  const auto clear = [=] {
    std::filesystem::remove_all(shards);
    std::filesystem::remove_all(dcp);
    clear_the_way(file);
  };
  race saves("durable save of " + std::to_string(bytes >> 20) + " MiB");
  saves.row("one file", [&] { tidemark::save(state, file); }, clear);
  saves.row("one file, again", [&] { tidemark::save(state, file); }, clear);
  saves.row("four shards", [&] { tidemark::save(state, tidemark::sharded_directory{shards, {.shards = 4}}); }, clear);
  saves.row("write loop with write-out every 16 MiB", [&] { write_raw(state, file, {.kicks = true}); }, clear);
  if (peer != nullptr) saves.row("torch.distributed.checkpoint", [=]() -> double { return peer->save(dcp); }, clear);
  saves.run(o.is_quick ? o.rounds : (o.rounds + 2) / 3);  // each takes many seconds
  clear();
  return saves;
}

/// Whether the shards take at most half of the peer's time, where there is one.
inline void judge_beside_dcp(const char* name, const race& saves, const dcp_peer* peer) {
  if (peer == nullptr) return skip(name, "no Python with torch; --python names one");
  judge(name, saves.minimum("four shards") / saves.minimum("torch.distributed.checkpoint"), side::at_most, 0.5, saves.spread("one file", "one file, again"));
}

/// At 1 GiB too, beside the loop that is the limit: on a fast disk that takes more than half of the peer's time itself.
inline void sharded_beside_dcp(const options& o, const scratch_folder& folder) {
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{16} << 20 : std::uint64_t{1} << 30;
  const auto peer = dcp_peer::find(o, bytes);
  if (!peer) return skip("run.sharded_save_of_dcp_1gib", "no Python with torch; --python names one");  // before a race that would judge nothing
  large_state state = make_large_state(bytes);
  const race saves = sharded_saves(o, folder, state, bytes, peer.get());
  judge_beside_dcp("run.sharded_save_of_dcp_1gib", saves, peer.get());
}

inline void sharded(const options& o, const scratch_folder& folder) {
  sharded_beside_dcp(o, folder);
  const std::uint64_t bytes = o.is_quick ? std::uint64_t{64} << 20 : std::uint64_t{4} << 30;
  large_state state = make_large_state(bytes);
  const auto file = folder / "one.safetensors", shards = folder / "four", dcp = folder / "dcp";
  const auto peer = dcp_peer::find(o, bytes);
  const race saves = sharded_saves(o, folder, state, bytes, peer.get());
  judge_beside_dcp("run.sharded_save_of_dcp", saves, peer.get());
  judge("run.sharded_save_of_one_file", saves.speedup("four shards", "one file"), side::at_least, 1.0, saves.spread("one file", "one file, again"));

  tidemark::save(state, file);
  tidemark::save(state, tidemark::sharded_directory{shards, {.shards = 4}});
  if (peer) peer->save(dcp);
  race loads("verified restore in place of " + std::to_string(bytes >> 20) + " MiB, from the page cache");
  const auto nothing = [] {};
  loads.row("one file", [&] { tidemark::restore(state, file); }, nothing);
  loads.row("one file, again", [&] { tidemark::restore(state, file); }, nothing);
  loads.row("four shards", [&] { tidemark::restore(state, tidemark::sharded_source{shards}); }, nothing);
  if (peer) loads.row("torch.distributed.checkpoint, unverified", [&]() -> double { return peer->load(dcp); }, nothing);
  loads.run(o.is_quick ? o.rounds : (o.rounds + 2) / 3);
  judge("run.sharded_restore_of_one_file", loads.speedup("four shards", "one file"), side::at_least, 0.95, loads.spread("one file", "one file, again"));
}

}  // namespace bench
#endif
