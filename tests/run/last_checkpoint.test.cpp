// SPDX-License-Identifier: BSL-1.0
// run/last_checkpoint.hpp: a state that was saved already is known again, and its checkpoint is put on the disk instead of another.
#include "run_tests.hpp"

#include <tidemark/run/last_checkpoint.hpp>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include <sys/stat.h>

using namespace tidemark;

namespace {

/// Remembers what was synced; the sync of one of them may fail.
struct watching_ops : file_ops {
  std::shared_ptr<std::set<ino_t>> synced = std::make_shared<std::set<ino_t>>();
  ino_t failing = 0;

  int fsync(int file) const {
    struct stat status;
    if (::fstat(file, &status) == 0 && status.st_ino == failing) return errno = EIO, -1;
    synced->insert(status.st_ino);
    return file_ops::fsync(file);
  }
};

ino_t inode_of(const std::filesystem::path& path) {
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_ino;
}

using file_writer = detail::checkpoint_writer<file_ops>;

}  // namespace

TEST_CASE("the checkpoint of a state is known by its digest: another state, step or metric is another") {
  const scratch::folder place;
  for (const bool is_sharded : {false, true}) {
    file_writer writer{place.path(), is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, durability::process, {}, {}, {}};
    const counters state = at_step(3);
    const auto plan = detail::plan_of(state);
    const auto& identity = detail::identity_text_of<counters>();
    const detail::checkpoint_label label{{1, 3}, {{"loss", 0.5}}, {}};
    detail::last_checkpoint last{writer.write(plan, identity, label), label};
    CHECK(last.holds(writer, plan, identity));
    counters changed = state;
    changed.weights.back() += 1;
    CHECK(!last.holds(writer, detail::plan_of(changed), identity));
    last.label.metrics[0].second = 0.25;
    CHECK(!last.holds(writer, plan, identity));
  }
}

TEST_CASE("every file of it, its folder and the run's are put on the disk, once; where one cannot be it is not durable") {
  for (const bool is_sharded : {false, true}) {
    const scratch::folder place;
    file_writer writer{place.path(), is_sharded ? std::optional(sharding{.shards = 2}) : std::nullopt, durability::none, {}, {}, {}};
    const counters state = at_step(3);
    const detail::checkpoint_label label{{1, 3}, {}, {}};
    const auto saved = writer.write(detail::plan_of(state), detail::identity_text_of<counters>(), label);
    std::set<ino_t> all{inode_of(place.path()), inode_of(saved.path)};
    if (is_sharded) {
      for (const auto& entry : std::filesystem::directory_iterator(saved.path)) all.insert(inode_of(entry.path()));
      CHECK(all.size() == 6);  // two shards, index, manifest
    }
    watching_ops ops;
    detail::last_checkpoint last{saved, label};
    CHECK(last.is_made_durable(detail::run_folder<watching_ops>(ops, place.path(), false)));
    CHECK(*ops.synced == all);
    ops.synced->clear();
    CHECK(last.is_made_durable(detail::run_folder<watching_ops>(ops, place.path(), false)));
    CHECK(ops.synced->empty());
    for (const ino_t one : all) {
      ops.failing = one;
      detail::last_checkpoint lost{saved, label};
      CHECK(!lost.is_made_durable(detail::run_folder<watching_ops>(ops, place.path(), false)));
      CHECK(lost.saved.level == durability::none);
    }
    std::filesystem::remove_all(saved.path);
    detail::last_checkpoint gone{saved, label};
    CHECK(!gone.is_made_durable(detail::run_folder<file_ops>({}, place.path(), false)));
  }
}
