// SPDX-License-Identifier: BSL-1.0
// run/run_folder.hpp: what lies in a run's folder, and what may be removed.
#include <tidemark/run/run_folder.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>
#include <sink/scripted_ops.hpp>

#include <cerrno>
#include <filesystem>
#include <set>
#include <string>

namespace fs = std::filesystem;
using namespace tidemark;
using opened_folder = detail::run_folder<file_ops>;
using detail::entry_kind;

namespace {

const std::string hex32 = "0123456789abcdef0123456789abcdef";

std::set<std::string> names_in(const std::string& path) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("a checkpoint is a file of the suffixes that saves give, or a folder without one; nothing else") {
  const auto is_ours = [](const char* name, entry_kind kind, const char* compressed = "") { return detail::as_checkpoint({name, kind}, compressed).has_value(); };
  for (const char* name : {"step-1-1.safetensors", "step-1-1.safetensors.zst"}) {
    CHECK(is_ours(name, entry_kind::file));
    for (const auto kind : {entry_kind::folder, entry_kind::link, entry_kind::other}) CHECK(!is_ours(name, kind));
  }
  CHECK(is_ours("step-1-1", entry_kind::folder));
  for (const auto kind : {entry_kind::file, entry_kind::link, entry_kind::other}) CHECK(!is_ours("step-1-1", kind));
  CHECK(is_ours("step-1-1.safetensors.xor", entry_kind::file, ".xor"));
  for (const char* name : {"step-1-1.safetensors.xor", "step-1-1.safetensors.bak", "step-1-1.safetensors.", "step-1-1.safetensorszst", "step-1-1.safetensors.zst.zst", "step-1-1.Safetensors", "step-1-1.", "step-1-1.txt"}) {
    CHECK(!is_ours(name, entry_kind::file));
    CHECK(!is_ours(name, entry_kind::folder));
  }
}

TEST_CASE("only trash of ours has the name of trash") {
  CHECK(detail::is_trash_name(".trash." + hex32));
  for (const std::string& name : {std::string(".trash."), ".trash." + hex32 + "0", ".trash." + hex32.substr(1), "trash." + hex32, ".trash.X" + hex32.substr(1), ".trash.A" + hex32.substr(1)}) CHECK(!detail::is_trash_name(name));
}

TEST_CASE("checkpoints come in the order of their saving") {
  const scratch::folder place;
  for (const char* name : {"step-9-1.safetensors", "step-1-10.safetensors", "step-5-2.safetensors", "step-100-3.safetensors", "other"}) scratch::put(place / name, "x");
  const opened_folder run({}, place.path() + "//", false);
  CHECK(run.path() == place.path());
  std::string order;
  for (const auto& c : run.checkpoints()) order += c.file + ' ';
  CHECK(order == "step-9-1.safetensors step-5-2.safetensors step-100-3.safetensors step-1-10.safetensors ");
  CHECK(run.free_bytes().value_or(0) > 0);
  CHECK(run.holds("other"));
  CHECK(!run.holds("none"));
}

TEST_CASE("what one checkpoint's save has left is swept alone") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  for (const char* name : {"step-1-1.safetensors", "step-1-2.safetensors", "step-11-1.safetensors", "latest"}) scratch::put(place / "run/." + name + ".tmp." + hex32, "x");
  fs::create_directory(place / "run/.step-1-1.tmp." + hex32);
  run.sweep({.sequence = 1, .step = 1});
  CHECK(names_in(place / "run").size() == 3);
  run.sweep();
  CHECK(names_in(place / "run").empty());
}

TEST_CASE("whatever call of a removal fails: the checkpoint is whole or gone, and the next sweep takes what is left") {
  int failures = 0;
  for (int at = 0; at < 60; ++at) {
    const scratch::folder place;
    fs::create_directory(place / "run");
    scratch::put(place / "run/step-1-1.safetensors", "content");
    scripted::script script;
    {
      const detail::run_folder<scripted::ops> run(scripted::ops(script), place / "run", false);
      const auto before = static_cast<int>(script.trace.size());
      script.fail_at = before + at;
      script.error = EIO;
      try {
        const bool is_removed = run.remove({{.sequence = 1, .step = 1}, "step-1-1.safetensors", false});
        CHECK(is_removed);
        if (static_cast<int>(script.trace.size()) <= script.fail_at) break;
      } catch (const error& e) {
        CHECK((e.code() == errc::io));
        ++failures;
      }
      script.fail_at = -1;
      const bool is_whole = scratch::content(place / "run/step-1-1.safetensors") == "content";
      const auto names = names_in(place / "run");
      CHECK((is_whole ? names.size() == 1 : names.empty() || (names.size() == 1 && detail::is_trash_name(*names.begin()))));
      run.sweep();
      CHECK(names_in(place / "run").size() == (is_whole ? 1 : 0));
    }
  }
  CHECK(failures >= 3);  // random bits, rename, sync
}

TEST_CASE("the free space is known only where the filesystem counts its blocks") {
  struct counting_ops : file_ops {
    std::uint64_t blocks = 0, available = 0;
    int fstatvfs(int, struct statvfs* into) const noexcept {
      *into = {};
      into->f_bsize = 512;
      into->f_blocks = blocks;
      into->f_bavail = available;
      return 0;
    }
  };
  const scratch::folder place;
  const auto free_of = [&](std::uint64_t blocks, std::uint64_t available) {
    counting_ops ops;
    ops.blocks = blocks;
    ops.available = available;
    return detail::run_folder<counting_ops>(ops, place / "run", true).free_bytes();
  };
  CHECK(!free_of(0, 0));
  CHECK(free_of(100, 0) == 0);
  CHECK(free_of(100, 3) == 1536);
  CHECK(free_of(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

TEST_CASE("a folder is made durably, once, and only where asked for") {
  const scratch::folder place;
  scripted::script script;
  { const detail::run_folder<scripted::ops> run(scripted::ops(script), place / "run/", true); }
  int syncs = 0;
  for (const auto& call : script.trace) syncs += call.name == "fsync";
  CHECK(syncs == 1);
  script.trace.clear();
  { const detail::run_folder<scripted::ops> run(scripted::ops(script), place / "run", true); }
  for (const auto& call : script.trace) CHECK(call.name != "fsync");
  CHECK(scratch::code_of([&] { opened_folder run({}, place / "none", false); }) == "not_found");
}
