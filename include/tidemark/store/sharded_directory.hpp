// SPDX-License-Identifier: BSL-1.0
// store/sharded_directory.hpp: a state saved as a folder of safetensors files, several written at once, visible all together (floor: store).
#ifndef TIDEMARK_STORE_SHARDED_DIRECTORY_HPP
#define TIDEMARK_STORE_SHARDED_DIRECTORY_HPP

#include <tidemark/format/manifest.hpp>
#include <tidemark/format/shard_index.hpp>
#include <tidemark/sink/staged_folder.hpp>
#include <tidemark/store/opened_archive.hpp>
#include <tidemark/store/save.hpp>
#include <tidemark/store/shard_assignment.hpp>
#include <tidemark/store/task_threads.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tidemark {

struct sharding {
  std::size_t shards = 0;                          ///< exactly so many (fewer where there are fewer tensors); 0: as `max_shard_bytes` says
  std::uint64_t max_shard_bytes = 5'000'000'000;   ///< of tensors; one that is larger alone has a shard of its own; 0: groups of any size
  shard_assignment assign = balanced;              ///< balanced, round_robin or by_group(f)
  unsigned threads = 0;                            ///< that write, each a shard at a time; 0: as many as there are cores, at most 4
  tidemark::durability durability = tidemark::durability::power;
};

/// A new folder as the place for a save: the shards, each a safetensors file of its own, `model.safetensors.index.json` as Hugging
/// Face's loaders read it, and `tidemark.manifest.json`, written last. Until all of it is on disk it lies under a temporary name.
///
///     tidemark::save(state, tidemark::sharded_directory{"run/step-1000", {.shards = 4}});
///     auto state = tidemark::load<trainer>(tidemark::sharded_source{"run/step-1000"});
///
/// A value: it holds the path. A committed folder is never overwritten.
template <class Ops>
class basic_sharded_directory {
 public:
  template <detail::PathLike P>
  explicit basic_sharded_directory(const P& path, sharding options = {}, Ops ops = {})
      : path_(detail::path_text(path)), options_(std::move(options)), ops_(std::move(ops)) {
    if (options_.shards == 0 && options_.max_shard_bytes == 0 && options_.assign.how() != shard_assignment::way::by_group) {
      throw error({.code = errc::unsupported, .file = path_, .problem = "neither a number of shards nor their size is given", .advice = "Set .shards or .max_shard_bytes."});
    }
  }

  std::string name() const { return path_; }
  const sharding& options() const noexcept { return options_; }
  const Ops& ops() const noexcept { return ops_; }

 private:
  std::string path_;
  sharding options_;
  [[no_unique_address]] Ops ops_;
};

using sharded_directory = basic_sharded_directory<file_ops>;

namespace detail {

/// Fills a staged folder, shard by shard.
template <class Ops>
class shard_writer {
 public:
  shard_writer(const basic_sharded_directory<Ops>& to, const save_options& options) : to_(to), options_(options) {}

  save_report write(const save_plan& plan, const std::string& identity) {
    const sharding& how = to_.options();
    const auto parts = assign_shards(plan.tensors(), how.shards, how.max_shard_bytes, how.assign);
    std::vector<archive_layout> layouts;
    layouts.reserve(parts.size());
    metadata_list metadata = full_metadata(identity, options_.metadata, 3);
    metadata.emplace_back(shard_key, std::string{});
    save_report report{.destination = to_.name(), .tensors = plan.tensors().size()};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      metadata.back().second = std::to_string(i + 1) + '/' + std::to_string(parts.size());
      layouts.emplace_back(parts[i].tensors, parts[i].bytes, metadata);
      report.bytes += layouts.back().bytes();
    }

    staged_folder<Ops> folder(to_.ops(), to_.name());
    progress_meter meter(options_.progress, report.bytes);
    std::vector<manifest_entry> entries(parts.size());
    task_threads workers;
    workers.run(parts.size(), threads(), [&](auto next) {
      for (std::size_t i; (i = next()) < parts.size();) {
        auto file = folder.create(shard_name(i, parts.size()), layouts[i].bytes(), is_synced());
        if (how.durability != durability::none) file.reserve();
        layouts[i].write([&](bytes_view piece) {
          options_.cancel.check();
          if (workers.has_failed()) throw error({.code = errc::cancelled, .problem = "another shard could not be written"});
          file.write(piece);
        }, meter);
        finish(file);
        entries[i] = {shard_name(i, parts.size()), layouts[i].bytes(), to_hex(layouts[i].own_digest()), true};
      }
    });
    entries.push_back(write_text(folder, shard_index_name, index_of(parts)));
    report.bytes += entries.back().bytes;
    report.bytes += write_text(folder, manifest_name, make_manifest(entries)).bytes;

    options_.cancel.check();
    if (is_synced()) folder.sync();
    folder.publish();
    if (is_synced()) folder.sync_parent();
    meter.finish();
    report.level = how.durability;
    return report;
  }

 private:
  bool is_synced() const noexcept { return to_.options().durability == durability::power; }

  unsigned threads() const {
    const unsigned wanted = to_.options().threads;
    return wanted != 0 ? wanted : (std::max)(1u, (std::min)(4u, std::thread::hardware_concurrency()));
  }

  void finish(file_output<Ops>& file) const {
    file.finish();
    if (is_synced()) file.sync();
    file.close();
  }

  manifest_entry write_text(staged_folder<Ops>& folder, std::string_view name, const std::string& text) const {
    auto file = folder.create(std::string(name), text.size(), is_synced());
    file.write(bytes_of(text));
    finish(file);
    return {std::string(name), text.size(), to_hex(digest_of(bytes_of(text))), false};
  }

  static std::string index_of(const std::vector<shard_part>& parts) {
    shard_index_writer index;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const planned_tensor& t : parts[i].tensors) index.add(t.info.name, t.info.bytes, shard_name(i, parts.size()));
    }
    return index.text();
  }

  const basic_sharded_directory<Ops>& to_;
  const save_options& options_;
};

}  // namespace detail

/// Saves `state` as a new folder. The promises are those of a save to one file: committed means that every shard, the manifest and the
/// folder's name have reached the level of durability asked for; whatever fails before leaves nothing, and what was there before.
/// Cost: an fsync a file, and two for the folders. Memory: 1 MiB a thread, and 1 KiB a tensor. Throws `error`: as `save` to a file;
/// exists (a folder is never overwritten); commit_unknown. Protocol: docs/durability.md, "A folder".
template <class T, class Ops>
save_report save(const T& state, const basic_sharded_directory<Ops>& to, const save_options& options = {}) {
  detail::require_restorable<T>();
  if constexpr (Restorable<T>) return detail::doing("save", [&] { return to.name(); }, [&] {
    const detail::stopwatch watch;
    save_report report = detail::shard_writer<Ops>(to, options).write(detail::plan_of(state), detail::identity_text_of<T>());
    report.seconds = watch.seconds();
    return report;
  });
}

}  // namespace tidemark
#endif
