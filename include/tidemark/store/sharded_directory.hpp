// SPDX-License-Identifier: BSL-1.0
// store/sharded_directory.hpp: a state saved as a folder of safetensors files, several written at once, visible all together (floor: store).
#ifndef TIDEMARK_STORE_SHARDED_DIRECTORY_HPP
#define TIDEMARK_STORE_SHARDED_DIRECTORY_HPP

#include <tidemark/format/manifest.hpp>
#include <tidemark/format/shard_index.hpp>
#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/file_digest.hpp>
#include <tidemark/sink/staged_folder.hpp>
#include <tidemark/store/progress_meter.hpp>
#include <tidemark/store/save.hpp>
#include <tidemark/store/shard_assignment.hpp>
#include <tidemark/store/task_threads.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

struct sharding {
  std::size_t shards = 0;                          ///< exactly so many (fewer where there are fewer tensors); 0: as `max_shard_bytes` says
  std::uint64_t max_shard_bytes = 5'000'000'000;   ///< of tensors; one that is larger alone has a shard of its own; 0: groups of any size
  shard_assignment assign = balanced;              ///< balanced, round_robin or by_group(f)
  unsigned threads = 0;                            ///< that write, each a shard at a time; 0: as many as there are cores, at most 4
  tidemark::durability durability = tidemark::durability::power;
  tidemark::compression compression{};             ///< of each shard; then there is no index, since no loader of others could use it
  file_digest sums{};                              ///< of each file, for other tools: sha256_sums() writes what `sha256sum -c` checks
};

namespace detail {

/// Throws `error` for what no save could do, or no reader would follow. `path` is for messages.
void require_usable(const sharding& how, const std::string& path);

}  // namespace detail

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
    detail::require_usable(options_, path_);
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

/// The parts of a plan, each ready to be written.
struct shard_layouts {
  std::vector<shard_part> parts;
  std::vector<archive_layout> layouts;

  /// Throws `error`: limit (a header), unsupported (two tensors of one name in a shard).
  shard_layouts(plan_view plan, const sharding& how, const std::string& identity, const metadata_list& extra);

  std::uint64_t bytes() const;

  /// Once all have been written: over the digests of the shards.
  digest128 own_digest() const;

  /// The same, of what would be written.
  digest128 digest();
};

/// A file of a staged folder as a sink. What it takes on disk and its sum are known once it is committed.
template <class Ops>
class shard_sink {
 public:
  class writer {
   public:
    writer(const shard_sink& to, std::uint64_t total_bytes) : to_(to), file_(to.folder_->create(to.name_, total_bytes, to.is_synced())) {
      if (to_.how_->durability != durability::none) file_.reserve();
      if (to_.how_->sums.start) sum_ = to_.how_->sums.start();
    }
    void write(bytes_view bytes) {
      file_.write(bytes);
      written_ += bytes.size();
      if (sum_.update) sum_.update(bytes);
    }
    durability commit() {
      file_.finish();
      if (to_.is_synced()) file_.sync();
      file_.close();
      *to_.on_disk_ = written_;
      if (sum_.finish) *to_.sum_ = sum_.finish();
      return to_.how_->durability;
    }

   private:
    shard_sink to_;
    file_output<Ops> file_;
    std::uint64_t written_ = 0;
    running_digest sum_;
  };

  shard_sink(staged_folder<Ops>& folder, std::string name, const sharding& how, std::uint64_t& on_disk, std::string& sum)
      : folder_(&folder), name_(std::move(name)), how_(&how), on_disk_(&on_disk), sum_(&sum) {}

  writer open(std::uint64_t total_bytes) const { return {*this, total_bytes}; }
  std::string name() const { return folder_->path() + '/' + name_; }

 private:
  bool is_synced() const noexcept { return how_->durability == durability::power; }

  staged_folder<Ops>* folder_;
  std::string name_;
  const sharding* how_;
  std::uint64_t* on_disk_;
  std::string* sum_;
};

/// Fills a staged folder, shard by shard.
template <class Ops>
class shard_writer {
 public:
  shard_writer(const basic_sharded_directory<Ops>& to, const save_options& options) : to_(to), options_(options) {}

  save_report write(plan_view plan, const std::string& identity) {
    const sharding& how = to_.options();
    shard_layouts all(plan, how, identity, options_.metadata);
    const std::vector<shard_part>& parts = all.parts;
    save_report report{.destination = to_.name(), .tensors = plan.tensors.size()};

    staged_folder<Ops> folder(to_.ops(), to_.name());
    progress_meter meter(options_.progress, all.bytes());
    std::vector<manifest_entry> entries(parts.size());
    task_threads workers;
    std::vector<std::string> sums(parts.size());
    workers.run(parts.size(), threads_or_default(how.threads), [&](auto next) {
      for (std::size_t i; (i = next()) < parts.size();) {
        const std::string name = shard_name(i, parts.size()) + how.compression.suffix;
        std::uint64_t on_disk = 0;
        shard_sink<Ops> file(folder, name, how, on_disk, sums[i]);
        const auto fill = [&](auto writer) {
          all.layouts[i].write([&](bytes_view piece) {
            options_.cancel.check();
            if (workers.has_failed()) throw error({.code = errc::cancelled, .problem = "another shard could not be written"});
            writer.write(piece);
          }, meter);
          writer.commit();
        };
        if (how.compression.wrap) {
          any_sink packed = how.compression.wrap(any_sink(file));
          fill(packed.open(all.layouts[i].bytes()));
        } else {
          fill(file.open(all.layouts[i].bytes()));
        }
        entries[i] = {name, on_disk, to_hex(all.layouts[i].own_digest()), true};
      }
    });
    report.digest = all.own_digest();
    if (!how.compression.wrap) entries.push_back(write_text(folder, shard_index_name, index_of(parts), sums));
    if (how.sums.start) entries.push_back(write_text(folder, how.sums.list_name, list_of(entries, sums), sums));
    for (const manifest_entry& e : entries) report.bytes += e.bytes;
    report.bytes += write_text(folder, manifest_name, make_manifest(entries), sums).bytes;

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

  /// Its sum, where there are any, goes behind the others.
  manifest_entry write_text(staged_folder<Ops>& folder, std::string_view name, const std::string& text, std::vector<std::string>& sums) const {
    std::uint64_t on_disk = 0;
    auto writer = shard_sink<Ops>(folder, std::string(name), to_.options(), on_disk, sums.emplace_back()).open(text.size());
    writer.write(bytes_of(text));
    writer.commit();
    return {std::string(name), on_disk, to_hex(digest_of(bytes_of(text))), false};
  }

  /// As `sha256sum` prints it.
  static std::string list_of(const std::vector<manifest_entry>& entries, const std::vector<std::string>& sums) {
    std::string text;
    for (std::size_t i = 0; i < entries.size(); ++i) text += sums[i] + "  " + entries[i].name + '\n';
    return text;
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
  if constexpr (Restorable<T>) return detail::saving("save", [&] { return to.name(); }, [&] {
    return detail::shard_writer<Ops>(to, options).write(detail::plan_of(state), detail::identity_text_of<T>());
  });
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/sharded_directory.ipp>
#endif
#endif
