// SPDX-License-Identifier: BSL-1.0
// tests/sink/measure_bandwidth.test.cpp: the speed of a folder is measured by a synced write that leaves nothing there.
#include <tidemark/sink/measure_bandwidth.hpp>

#include <doctest/doctest.h>
#include "child.hpp"
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <string>

using namespace tidemark;
using scratch::code_of;

TEST_CASE("every byte is written and synced, in one file that is gone afterwards") {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  for (const std::uint64_t bytes : {1u, 1000u, (1u << 20), (1u << 20) + 1, (5u << 20) + 123}) {
    scripted::script script;
    script.keeps_bytes = true;
    const double speed = measure_bandwidth(folder.path(), bytes, scripted::ops{script});
    CHECK(speed > 0);
    CHECK(speed < 1e18);
    std::uint64_t written = 0;
    for (const auto& call : script.trace) written += call.bytes.size();
    CHECK(written == bytes);
    const auto names = script.names();
    const auto sync = std::find(names.begin(), names.end(), "fsync file");
    REQUIRE(sync != names.end());
    CHECK(std::find(sync, names.end(), "write file") == names.end());
    CHECK(std::count(names.begin(), names.end(), "unlinkat temporary") == 1);
    CHECK(folder.entries() == 0);
  }
  CHECK(measure_bandwidth(folder.path(), 100) > 0);
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("the time of the sync counts") {
  struct slow_ops : file_ops {
    int fsync(int) const noexcept { return ::usleep(200'000), 0; }
  };
  scratch::folder folder;
  CHECK(measure_bandwidth(folder.path(), 1'000'000, slow_ops{}) < 5'000'000);
}

TEST_CASE("each call may fail with each errno, and signals may interrupt: nothing is left and the folder is named") {
  scratch::folder folder;
  scripted::script clean;
  measure_bandwidth(folder.path(), 3 << 20, scripted::ops{clean});
  const std::size_t before = scratch::open_descriptors();
  for (std::size_t at = 0; at < clean.trace.size(); ++at) {
    for (const int number : {EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE}) {
      scripted::script script;
      script.fail_at = static_cast<int>(at);
      script.error = number;
      const auto failure = scratch::failure_of([&] { measure_bandwidth(folder.path(), 3 << 20, scripted::ops{script}); });
      if (failure) {
        CHECK(failure->file().starts_with(folder.path()));
        CHECK(failure->system() == number);
      } else {
        CHECK((clean.names()[at] == "close folder" || clean.names()[at].starts_with("sync_file_range")));
      }
      if (clean.names()[at] == "unlinkat temporary") {
        CHECK(folder.leftovers() == 1);
        CHECK(failure->file().size() > folder.path().size() + 40);  // says which
        scratch::fs::remove(failure->file());
      }
      CHECK(folder.entries() == 0);
    }
  }
  CHECK(scratch::open_descriptors() == before);
  scripted::script interrupted;
  interrupted.interrupts = true;
  CHECK(measure_bandwidth(folder.path(), 3 << 20, scripted::ops{interrupted}) > 0);
}

TEST_CASE("a kill leaves at most an empty file with the name of a temporary one, and only between two calls") {
  scratch::folder folder;
  int left = 0;
  for (int at = 0; at < 12; ++at) {
    child::outcome_of([&] {
      scripted::script script;
      script.kill_at = at;
      measure_bandwidth(folder.path(), 2 << 20, scripted::ops{script});
      return 0;
    });
    for (const auto& entry : scratch::fs::directory_iterator(folder.path())) {
      ++left;
      CHECK(detail::is_staging_name(entry.path().filename().string()));
      CHECK(scratch::fs::file_size(entry) == 0);
      scratch::fs::remove(entry);
    }
  }
  CHECK(left == 1);
}

TEST_CASE("a folder that is none and a measurement of nothing are refused") {
  scratch::folder folder;
  CHECK(code_of([&] { measure_bandwidth(folder / "missing"); }) == "not_found");
  CHECK(code_of([&] { measure_bandwidth(""); }) == "not_found");
  CHECK(code_of([&] { measure_bandwidth(folder.path(), 0); }) == "invalid_value");
}
