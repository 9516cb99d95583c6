// SPDX-License-Identifier: BSL-1.0
// tests/durability/faults.test.cpp: every call of every scenario fails once with each errno it can give; a full disk; limits; strace from outside.
#include <tidemark/core/error.hpp>

#include <doctest/doctest.h>
#include "counted_new.hpp"
#include "rig.hpp"
#include "scenarios.hpp"
#include "sink/child.hpp"
#include "sink/scratch.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace durability;

namespace {

/// By the manual pages; what a call shares with all others stands under "".
const std::map<std::string, std::vector<int>>& errnos() {
  static const std::map<std::string, std::vector<int>> table{
      {"", {EIO, EINTR, EACCES, ENOMEM}},
      {"openat", {ENOENT, EROFS, EMFILE, ENFILE, ENOSPC, EDQUOT, EPERM, ENOTDIR, ELOOP, EOPNOTSUPP}},
      {"close", {ENOSPC, EDQUOT}},
      {"fstatat", {ENOENT, ENOTDIR, ESTALE}},
      {"fstat", {ESTALE}},
      {"write", {ENOSPC, EDQUOT, EFBIG, EPERM}},
      {"fallocate", {ENOSPC, EDQUOT, EFBIG, EOPNOTSUPP}},
      {"ftruncate", {EROFS, EFBIG}},
      {"fsync", {ENOSPC, EDQUOT, EROFS}},
      {"fchmod", {EPERM, EROFS}},
      {"renameat", {ENOSPC, EDQUOT, EROFS, ENOENT, EXDEV, EBUSY, EPERM}},
      {"renameat2", {ENOSPC, EDQUOT, EROFS, ENOENT, EXDEV, EBUSY, EPERM, EEXIST, EINVAL}},
      {"linkat", {ENOSPC, EDQUOT, EROFS, ENOENT, EXDEV, EMLINK, EPERM, EEXIST}},
      {"unlinkat", {EROFS, ENOENT, EBUSY, EPERM}},
      {"mkdirat", {ENOSPC, EDQUOT, EROFS, ENOENT, EMLINK}},
      {"getrandom", {ENOSYS, EAGAIN}},
      {"flock", {EWOULDBLOCK, ENOLCK}},
      {"getdents", {ENOENT}},
      {"pread", {ESTALE}},
      {"fstatvfs", {ENOSYS}},
  };
  return table;
}

std::vector<int> ways_of(const std::string& name) {
  auto all = errnos().at("");
  if (const auto own = errnos().find(name); own != errnos().end()) all.insert(all.end(), own->second.begin(), own->second.end());
  return all;
}

/// What a failure may be called. Written down on its own: the codes of an errno, and those that a step adds.
bool is_code_for(tidemark::errc code, int error, const call& at) {
  using tidemark::errc;
  if (code == errc::commit_unknown || code == errc::partly_committed) return at.name == "fsync" || at.name == "fstat" || at.name == "close" || code == errc::partly_committed;
  switch (error) {
    case ENOSPC:
    case EDQUOT: return code == errc::no_space;
    case ENOENT:
    case ENOTDIR: return code == errc::not_found || code == errc::io;
    case EEXIST: return code == errc::exists;
    case ELOOP: return code == errc::unsafe_path;
    case EWOULDBLOCK: return at.name == "flock" ? code == errc::locked : code == errc::io;
    case ENOLCK: return code == errc::unsupported;
    default: return code == errc::io;
  }
}

}  // namespace

TEST_CASE("whatever call of a save fails, in whatever way: the old checkpoint or the new one, the right code, nothing leaked") {
  std::size_t cases = 0, survived = 0;
  std::set<std::string> covered;
  for (const scenario& s : scenarios()) {
    if (s.threads > 1) continue;
    CAPTURE(s.name);
    const scratch::folder folder;
    const std::vector<call> made = calls_of(s, folder.path());
    const std::size_t stride = slowdown > 1 ? 3 : 1;
    for (std::size_t n = 0; n < made.size(); n += stride) {
      const std::string label = made[n].label();
      CAPTURE(label);
      CAPTURE(n);
      if (s.lacks.count(label) != 0 || s.lacks.count(made[n].name) != 0) continue;
      for (const int error : ways_of(made[n].name)) {
        CAPTURE(error);
        real_system system;
        watch plain{.lacks = s.lacks};
        s.prepare(ops(system, plain), folder.path());
        int begun = s.before, acknowledged = s.before;
        const progress note{[&](int v) { begun = v; }, [&](int v) { acknowledged = v; }};
        watch by{.lacks = s.lacks};
        by.before = [&](const call& c) { return c.number == made[n].number ? error : 0; };
        const std::size_t descriptors = scratch::open_descriptors();
        const long allocations = live_allocations;
        {
          const auto failure = scratch::failure_of([&] { s.run(ops(system, by), folder.path(), note); });
          survived += !failure;
          if (failure) {
            // A forked child numbers its calls on its own: which of them failed is not known here.
            if (!s.forks) CHECK_MESSAGE(is_code_for(failure->code(), error, made[n]), std::string(failure->what()));
            CHECK((failure->system() == error || failure->code() == tidemark::errc::unsafe_path));  // a kind of file has no errno
            CHECK((failure->file().find(folder.path()) != std::string::npos || failure->file() == "/proc/self/fd"));
          }
        }
        by.roles.clear();
        // What the library keeps for good is there after the first rounds.
        if (cases > 100) CHECK(live_allocations == allocations);
        CHECK(scratch::open_descriptors() == descriptors);
        CHECK(fault_in(s, folder.path(), acknowledged, begun) == "");
        if (made[n].name != "unlinkat") CHECK(orphans_in(folder.path()) == 0);
        empty_folder(folder.path());
        covered.insert(label);
        ++cases;
      }
    }
  }
  MESSAGE(cases << " failures of " << covered.size() << " kinds of calls, " << survived << " of which a save does without");
  if (slowdown == 1) CHECK(cases >= 2000);
}

TEST_CASE("whatever call of a load fails, in whatever way: an error that says so, nothing leaked, and the checkpoint is there at the next try") {
  std::size_t cases = 0;
  for (const scenario& s : scenarios()) {
    CAPTURE(s.name);
    const scratch::folder folder;
    real_system system;
    watch plain{.lacks = s.lacks};
    s.prepare(ops(system, plain), folder.path());
    s.run(ops(system, plain), folder.path(), {});
    watch counted{.lacks = s.lacks};
    const found whole = s.read(ops(system, counted), folder.path());
    for (int n = 0; n < counted.calls; ++n) {
      for (const int error : {EIO, EINTR, EACCES, EMFILE, ENOMEM, ESTALE}) {
        const std::size_t descriptors = scratch::open_descriptors();
        call failed;
        watch by{.lacks = s.lacks};
        by.before = [&](const call& c) { return c.number == n ? (failed = c, error) : 0; };
        found at;
        const auto failure = scratch::failure_of([&] { at = s.read(ops(system, by), folder.path()); });
        const std::string label = failed.label();
        CAPTURE(label);
        CAPTURE(error);
        CHECK(scratch::open_descriptors() == descriptors);
        // The reader of a scenario keeps the error as a defect; what is no defect must be the truth.
        if (at.defect.empty() && !failure && failed.name != "close") CHECK(at.newest == whole.newest);
        if (error == EINTR && failed.name != "close") CHECK(at.defect == "");
        ++cases;
      }
    }
    for (std::size_t longest = 1; longest <= 64; longest = longest * 3 + 1) {
      watch by{.lacks = s.lacks};
      by.shorten = [&](std::size_t asked) { return std::min(asked, longest); };
      const found at = s.read(ops(system, by), folder.path());
      CHECK(at.defect == "");
      CHECK(at.newest == whole.newest);
      ++cases;
    }
    CHECK(s.read(ops(system, plain), folder.path()).newest == whole.newest);
  }
  MESSAGE(cases << " loads");
}

TEST_CASE("every scenario goes on through interruptions of every call and short writes of every length") {
  for (const scenario& s : scenarios()) {
    CAPTURE(s.name);
    const scratch::folder folder;
    for (std::size_t longest = 1; longest <= 700; longest += slowdown > 1 ? 233 : 41) {
      real_system system;
      watch by{.lacks = s.lacks};
      by.shorten = [&](std::size_t asked) { return std::min(asked, longest); };
      by.interruptions_each = longest % 2 == 0 ? 2 : 0;
      int acknowledged = 0;
      s.prepare(ops(system, by), folder.path());
      s.run(ops(system, by), folder.path(), {[](int) {}, [&](int v) { acknowledged = v; }});
      CHECK(fault_in(s, folder.path(), acknowledged, acknowledged) == "");
      CHECK(orphans_in(folder.path()) == 0);
      empty_folder(folder.path());
    }
  }
}

TEST_CASE("on a filesystem that is really full every scenario fails with no_space, and what was there stays") {
  const scratch::folder folder;
  const std::string end = child::outcome_of([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
    int failures = 0;
    for (const scenario& s : scenarios()) {
      // From so many free pages and names on, less each time: full at another step of the save.
      for (int spare = 0; spare < 8; ++spare) {
        if (::mount("tidemark", folder.path().c_str(), "tmpfs", 0, "size=256k,nr_inodes=64") != 0) return 77;
        real_system system;
        watch by{.lacks = s.lacks};
        s.prepare(ops(system, by), folder.path());
        const std::string filler = folder / "filler";
        {
          std::ofstream fill(filler, std::ios::binary);
          while (fill.write(std::string(4096, 'x').data(), 4096).flush()) {
          }
        }
        std::filesystem::resize_file(filler, std::filesystem::file_size(filler) / 4096 * 4096 - static_cast<std::size_t>(spare) * 4096);
        int begun = s.before, acknowledged = s.before;
        const auto failure =
            scratch::failure_of([&] { s.run(ops(system, by), folder.path(), {[&](int v) { begun = v; }, [&](int v) { acknowledged = v; }}); });
        failures += failure.has_value();
        if (failure && failure->code() != tidemark::errc::no_space && failure->code() != tidemark::errc::partly_committed) return 1;
        if (fault_in(s, folder.path(), acknowledged, begun) != "") return 2;
        if (orphans_in(folder.path()) != 0) return 3;
        if (::umount(folder.path().c_str()) != 0) return 4;
      }
    }
    return failures >= 10 ? 0 : 5;
  });
  if (end == "exit 77") {
    MESSAGE("skipped: only root may mount a small filesystem");
    return;
  }
  CHECK(end == "exit 0");
}

TEST_CASE("under every limit on file sizes every scenario fails with an error that names it, or succeeds") {
  const scratch::folder folder;
  const std::string end = child::outcome_of([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    for (const scenario& s : scenarios()) {
      for (const rlim_t most : {1u, 100u, 300u, 500u, 800u, 4000u}) {
        real_system system;
        watch by{.lacks = s.lacks};
        s.prepare(ops(system, by), folder.path());
        int begun = s.before, acknowledged = s.before;
        rlimit limit{most, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto failure =
            scratch::failure_of([&] { s.run(ops(system, by), folder.path(), {[&](int v) { begun = v; }, [&](int v) { acknowledged = v; }}); });
        limit.rlim_cur = RLIM_INFINITY;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        if (most == 1 && !failure) return 1;
        if (failure && failure->code() != tidemark::errc::io && failure->code() != tidemark::errc::partly_committed) return 2;
        if (failure && std::string(failure->what()).find("ulimit -f") == std::string::npos) return 3;
        if (fault_in(s, folder.path(), acknowledged, begun) != "" || orphans_in(folder.path()) != 0) return 4;
        empty_folder(folder.path());
      }
    }
    return 0;
  });
  CHECK(end == "exit 0");
}

TEST_CASE("one save of every scenario in the folder that TIDEMARK_STRACED names, for a tracer outside" * doctest::skip()) {
  const char* const where = std::getenv("TIDEMARK_STRACED");
  REQUIRE(where != nullptr);
  for (const scenario& s : scenarios()) {
    if (s.name != std::getenv("TIDEMARK_SCENARIO")) continue;
    real_system system;
    watch by{.lacks = s.lacks};
    const auto failure = scratch::failure_of([&] { s.run(ops(system, by), where, {}); });
    ::_exit(failure ? 10 + static_cast<int>(failure->code()) : 0);
  }
}

TEST_CASE("calls that strace makes fail from outside end in the same errors") {
  if (std::system("strace -o /dev/null -e trace=none true >/dev/null 2>&1") != 0) {
    MESSAGE("skipped: there is no strace, or it may not trace");
    return;
  }
  struct sample {
    const char *scenario, *call;
    int error;
    const char* name;
    tidemark::errc code;
  };
  using tidemark::errc;
  const std::vector<sample> samples{
      {"replace", "fsync", EIO, "EIO", errc::io},           {"replace", "fsync", ENOSPC, "ENOSPC", errc::no_space},
      {"replace", "rename,renameat,renameat2", EROFS, "EROFS", errc::io},
      {"replace", "write", ENOSPC, "ENOSPC", errc::no_space}, {"create new", "linkat", EDQUOT, "EDQUOT", errc::no_space},
      {"create new", "fsync", EDQUOT, "EDQUOT", errc::no_space}, {"more shards", "mkdir,mkdirat", EACCES, "EACCES", errc::io},
      {"more shards", "renameat2", EIO, "EIO", errc::io},   {"more shards", "fsync", EIO, "EIO", errc::io},
      {"more shards", "write", EDQUOT, "EDQUOT", errc::no_space}, {"tee", "fsync", EIO, "EIO", errc::io},
  };
  for (const sample& at : samples) {
    if (scratch::watches_threads && at.call == std::string_view("write")) continue;  // its runtime writes before the program does
    CAPTURE(at.scenario);
    CAPTURE(at.call);
    const auto s = std::find_if(scenarios().begin(), scenarios().end(), [&](const scenario& one) { return one.name == at.scenario; });
    REQUIRE(s != scenarios().end());
    const scratch::folder folder;
    real_system system;
    watch by{.lacks = s->lacks};
    s->prepare(ops(system, by), folder.path());
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "ASAN_OPTIONS=detect_leaks=0 TIDEMARK_STRACED=" + folder.path() + " TIDEMARK_SCENARIO='" + at.scenario +
                                "' strace -f -o /dev/null -e trace=" + at.call + " -e inject=" + at.call + ":error=" + at.name + ":when=1 '" + self +
                                "' --no-skip --no-intro=true --test-case='one save of every scenario*' >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 10 + static_cast<int>(at.code));
    CHECK(fault_in(*s, folder.path(), s->before, s->before) == "");
    CHECK(orphans_in(folder.path()) == 0);
  }
}
