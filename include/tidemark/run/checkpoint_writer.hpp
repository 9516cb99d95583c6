// SPDX-License-Identifier: BSL-1.0
// run/checkpoint_writer.hpp: one planned state into one checkpoint of a run (floor: run).
#ifndef TIDEMARK_RUN_CHECKPOINT_WRITER_HPP
#define TIDEMARK_RUN_CHECKPOINT_WRITER_HPP

#include <tidemark/core/cancellation.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/compression.hpp>
#include <tidemark/sink/counting.hpp>
#include <tidemark/store/sharded_directory.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tidemark::detail {

/// What a checkpoint is called and what is said of it.
struct checkpoint_label {
  checkpoint_name name;
  metric_list metrics;
  metadata_list more;
};

template <class Ops>
struct checkpoint_writer {
  std::string folder;                 ///< of the run
  std::optional<sharding> shards;     ///< a folder of them instead of a file
  tidemark::durability durability = durability::power;
  tidemark::compression compression;
  tidemark::cancellation cancel;
  Ops ops;

  std::string path_of(const checkpoint_name& name) const {
    return folder + '/' + to_text(name) + (shards ? std::string() : ".safetensors" + compression.suffix);
  }

  /// Throws `error`. Nothing is left where it throws anything but commit_unknown.
  saved_checkpoint write(plan_view plan, const std::string& identity, const checkpoint_label& label) const {
    const std::string path = path_of(label.name);
    const save_report report = saving("save", [&] { return path; }, [&] {
      const save_options options{.metadata = metadata_of(label.name, label.metrics, label.more), .cancel = cancel};
      return shards ? write_shards(path, plan, identity, options) : write_file(path, plan, identity, options);
    });
    return {label.name.step, label.name.sequence, path, report.bytes, report.seconds, report.level, report.digest};
  }

  /// Throws `error` where no save could do it, whatever the disk: limit, unsupported.
  std::variant<archive_layout, shard_layouts> lay_out(plan_view plan, const std::string& identity, const checkpoint_label& label) const {
    const metadata_list metadata = metadata_of(label.name, label.metrics, label.more);
    if (shards) return shard_layouts(plan, *shards, identity, metadata);
    return archive_layout(plan, full_metadata(identity, metadata));
  }

  /// What `write` would report as the digest. Linear in the state; nothing is written.
  digest128 digest(plan_view plan, const std::string& identity, const checkpoint_label& label) const {
    auto laid_out = lay_out(plan, identity, label);
    return std::visit([](auto& layout) { return layout.digest(); }, laid_out);
  }

 private:
  save_report write_file(const std::string& path, plan_view plan, const std::string& identity, const save_options& options) const {
    const basic_atomic_file<Ops> file(path, {.mode = file_mode::create_new, .durability = durability}, ops);
    if (!compression.wrap) return write_archive(plan, identity, file, options);
    sink_counts on_disk;
    any_sink packed = compression.wrap(any_sink(counting{file, on_disk}));
    save_report report = write_archive(plan, identity, packed, options);
    report.bytes = on_disk.bytes();
    return report;
  }

  save_report write_shards(const std::string& path, plan_view plan, const std::string& identity, const save_options& options) const {
    sharding how = *shards;
    how.durability = durability;
    how.compression = compression;  // by which they are read
    const basic_sharded_directory<Ops> to(path, std::move(how), ops);
    return shard_writer<Ops>(to, options).write(plan, identity);
  }
};

}  // namespace tidemark::detail
#endif
