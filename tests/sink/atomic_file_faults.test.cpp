// SPDX-License-Identifier: BSL-1.0
// tests/sink/atomic_file_faults.test.cpp: the fault campaign: every call of a save fails in every way it can, and the old file is whole.
#include <tidemark/sink/atomic_file.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <map>
#include <string>
#include <vector>

using namespace tidemark;
using scratch::content;

namespace {

struct reaction {
  int error;
  const char* code;  ///< of the error to be thrown; "success" where the save does without the call
};

using table = std::map<std::string, std::vector<reaction>>;

/// What each call can fail with, by its manual page, and what the user is told. Written down here on its own, not taken from the code.
const table& reactions() {
  static const table rows{
      {"openat folder",
       {{EACCES, "io"},
        {ENOENT, "not_found"},
        {ENOTDIR, "not_found"},
        {ELOOP, "unsafe_path"},
        {EMFILE, "io"},
        {ENFILE, "io"},
        {ENAMETOOLONG, "io"},
        {ENOMEM, "io"},
        {EIO, "io"},
        {EPERM, "io"},
        {ESTALE, "io"}}},
      {"fstatat target", {{EACCES, "io"}, {ENAMETOOLONG, "io"}, {ENOMEM, "io"}, {EIO, "io"}, {ENOTDIR, "not_found"}, {EOVERFLOW, "io"}, {ESTALE, "io"}}},
      {"getrandom", {{ENOSYS, "io"}, {EAGAIN, "io"}, {EFAULT, "io"}}},
      {"openat file",
       {{EACCES, "io"},
        {EPERM, "io"},
        {EROFS, "io"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EMFILE, "io"},
        {ENFILE, "io"},
        {ENOMEM, "io"},
        {EEXIST, "success"},
        {EIO, "io"},
        {ENAMETOOLONG, "io"},
        {ENOENT, "not_found"},
        {ELOOP, "unsafe_path"},
        {ESTALE, "io"}}},
      {"openat nameless",
       {{EOPNOTSUPP, "success"},
        {EISDIR, "success"},
        {EINVAL, "success"},
        {ENOENT, "success"},
        {EACCES, "io"},
        {EPERM, "io"},
        {EROFS, "io"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EMFILE, "io"},
        {ENFILE, "io"},
        {ENOMEM, "io"},
        {EIO, "io"}}},
      {"fstatat proc", {{ENOENT, "success"}, {EACCES, "success"}, {ENOTDIR, "success"}, {ENOMEM, "success"}}},
      {"fchmod file", {{EPERM, "io"}, {EIO, "io"}, {EROFS, "io"}, {ENOMEM, "io"}}},
      {"fallocate file",
       {{EOPNOTSUPP, "success"},
        {ENOSYS, "success"},
        {EINVAL, "success"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EFBIG, "io"},
        {EIO, "io"},
        {EPERM, "io"}}},
      {"write file", {{ENOSPC, "no_space"}, {EDQUOT, "no_space"}, {EFBIG, "io"}, {EIO, "io"}, {EPERM, "io"}, {EAGAIN, "io"}, {EINVAL, "io"}, {ESTALE, "io"}}},
      {"sync_file_range file",
       {{ENOSYS, "success"}, {EINVAL, "success"}, {ESPIPE, "success"}, {ENOMEM, "success"}, {EIO, "io"}, {ENOSPC, "no_space"}, {EDQUOT, "no_space"}}},
      {"ftruncate file", {{EIO, "io"}, {EPERM, "io"}, {EROFS, "io"}, {EFBIG, "io"}}},
      {"fsync file", {{EIO, "io"}, {ENOSPC, "no_space"}, {EDQUOT, "no_space"}, {EROFS, "io"}, {EINVAL, "io"}, {ESTALE, "io"}}},
      {"close file", {{EIO, "io"}, {ENOSPC, "no_space"}, {EDQUOT, "no_space"}, {EINTR, "success"}}},
      {"renameat target",
       {{EACCES, "io"},
        {EPERM, "io"},
        {EROFS, "io"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EIO, "io"},
        {EXDEV, "io"},
        {EBUSY, "io"},
        {EISDIR, "unsafe_path"},
        {ENOENT, "not_found"},
        {EMLINK, "io"},
        {ENOMEM, "io"},
        {ESTALE, "io"}}},
      {"renameat2 target",
       {{ENOSYS, "success"},
        {EINVAL, "success"},
        {EOPNOTSUPP, "success"},
        {EEXIST, "exists"},
        {EACCES, "io"},
        {EROFS, "io"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EIO, "io"},
        {EXDEV, "io"},
        {EBUSY, "io"}}},
      {"linkat target",
       {{EEXIST, "exists"},
        {EACCES, "io"},
        {EPERM, "io"},
        {EROFS, "io"},
        {ENOSPC, "no_space"},
        {EDQUOT, "no_space"},
        {EIO, "io"},
        {EXDEV, "io"},
        {EMLINK, "io"},
        {ENOENT, "not_found"},
        {EOPNOTSUPP, "io"}}},
      {"unlinkat temporary", {{EACCES, "success"}, {EIO, "success"}, {EROFS, "success"}, {ENOENT, "success"}}},
      {"fsync folder",
       {{EIO, "commit_unknown"}, {ENOSPC, "commit_unknown"}, {EDQUOT, "commit_unknown"}, {EROFS, "commit_unknown"}, {EINVAL, "commit_unknown"}}},
      {"fstat folder", {{EIO, "commit_unknown"}, {ESTALE, "commit_unknown"}}},
      {"close folder", {{EIO, "success"}, {EINTR, "success"}}},
  };
  return rows;
}

struct setting {
  file_mode mode;
  durability level;
  bool has_old_file;
  std::size_t size, announced, piece;
  std::map<std::string, int> lacks;  ///< what the filesystem cannot do
  std::string text = scratch::pattern(size);
};

struct outcome {
  std::string code;
  bool is_published;  ///< the new file is to be there, whole
};

/// One save under `script`, and everything that must hold afterwards whatever happened.
void check_save(const scratch::folder& folder, const setting& with, scripted::script& script, const outcome& expected, bool may_leave_temporary) {
  const std::string path = folder / "target", old = "the old file";
  const std::string& text = with.text;
  scratch::fs::remove(path);
  if (with.has_old_file) {
    scratch::put(path, old);
    scratch::fs::permissions(path, static_cast<scratch::fs::perms>(0640));
  }
  for (const auto& [call, error] : with.lacks) script.always[call] = error;
  const std::size_t descriptors = scratch::open_descriptors();

  durability reached{};
  const auto failure = scratch::failure_of([&] {
    const basic_atomic_file sink(path, {.mode = with.mode, .durability = with.level}, scripted::ops{script});
    auto writer = sink.open(with.announced);
    for (std::size_t at = 0; at < text.size(); at += with.piece) {
      writer.write(detail::bytes_of(std::string_view(text).substr(at, with.piece)));
    }
    reached = writer.commit();
  });

  CHECK((failure ? std::string(name_of(failure->code())) : "success") == expected.code);
  if (!failure) CHECK(reached == with.level);
  if (failure) {
    CHECK(failure->file() == path);
    CHECK(failure->system() == script.error);
    const bool needs_no_words = failure->code() == errc::exists;
    CHECK((needs_no_words || std::string(failure->what()).find(std::generic_category().message(script.error)) != std::string::npos));
    if (failure->code() == errc::no_space && !script.was_naming()) {
      CHECK(failure->expected() == std::to_string(std::max(with.size, with.announced)) + " bytes of space");
    }
    if (failure->code() == errc::commit_unknown) CHECK(std::string(failure->what()).find("do not delete the older") != std::string::npos);
  }
  if (expected.is_published) {
    CHECK((content(path) == text));
  } else {
    CHECK((content(path) == (with.has_old_file ? old : "(no file)")));
  }
  if (with.has_old_file) CHECK(scratch::mode_of(path) == 0640);
  CHECK(scratch::open_descriptors() == descriptors);
  if (!may_leave_temporary) CHECK(folder.leftovers() == 0);
  for (const auto& entry : scratch::fs::directory_iterator(folder.path())) scratch::fs::remove(entry.path());
}

/// Fails each call of the save that `with` describes in each of its ways. Returns how often.
int campaign(const setting& with, std::map<std::string, int>& covered) {
  scratch::folder folder;
  scripted::script clean;
  check_save(folder, with, clean, {"success", true}, false);
  int tried = 0;
  for (std::size_t n = 0; n < clean.trace.size(); ++n) {
    const std::string call = clean.names()[n];
    CAPTURE(n);
    CAPTURE(call);
    REQUIRE(reactions().count(call) == 1);
    bool is_after_publishing = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& name = clean.trace[i].name;
      const bool lacks_it = with.lacks.count(name) != 0;
      is_after_publishing = is_after_publishing || (!lacks_it && (name == "renameat" || name == "renameat2" || name == "linkat"));
    }
    for (const reaction& row : reactions().at(call)) {
      if (with.lacks.count(clean.trace[n].name) != 0 || with.lacks.count(call) != 0) continue;
      CAPTURE(row.error);
      scripted::script script;
      script.fail_at = static_cast<int>(n);
      script.error = row.error;
      std::string expected = row.code;
      if (is_after_publishing && expected != "success") expected = "commit_unknown";
      check_save(folder, with, script, {expected, is_after_publishing || expected == "success"}, call == "unlinkat temporary");
      ++tried;
      ++covered[call];
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("whatever call of a save fails, in whatever way: the old file or the new one, no temporary file, no descriptor, a typed error") {
  std::map<std::string, int> covered;
  int tried = 0;
  for (const auto level : {durability::power, durability::process, durability::none}) {
    for (const bool has_old_file : {false, true}) {
      tried += campaign({file_mode::replace, level, has_old_file, 5000, 5000, 1000, {}}, covered);
      tried += campaign({file_mode::replace, level, has_old_file, 3000000, 3500000, 700000, {}}, covered);  // reserved, written in parts, cut
    }
    tried += campaign({file_mode::create_new, level, false, 5000, 5000, 1000, {}}, covered);
    tried += campaign({file_mode::create_new, level, false, 3000000, 3500000, 700000, {}}, covered);
    // filesystems that lack nameless files, or also renaming without replacing
    tried += campaign({file_mode::create_new, level, false, 5000, 5000, 1000, {{"openat nameless", EOPNOTSUPP}}}, covered);
    tried += campaign({file_mode::create_new, level, false, 5000, 5000, 1000, {{"openat nameless", EOPNOTSUPP}, {"renameat2", EINVAL}}}, covered);
  }
  // long enough to start write-out twice
  const std::size_t long_save = (std::size_t{33} << 20) + 5;
  tried += campaign({file_mode::replace, durability::power, true, long_save, long_save, std::size_t{5} << 20, {}}, covered);
  MESSAGE(tried << " failures injected");
  for (const auto& row : reactions()) CHECK_MESSAGE(covered[row.first] > 0, row.first << " was never made to fail");
}

TEST_CASE("a failed fsync is final: it is not tried again, and the save is over") {
  scratch::folder folder;
  for (const auto mode : {file_mode::replace, file_mode::create_new}) {
    for (const int error : {EIO, ENOSPC, EDQUOT}) {
      scripted::script script;
      script.always["fsync file"] = script.error = error;
      auto writer = basic_atomic_file(folder / "file", {.mode = mode}, scripted::ops{script}).open(1);
      writer.write(detail::bytes_of("x"));
      CHECK(scratch::code_of([&] { writer.commit(); }) == (error == EIO ? "io" : "no_space"));
      CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
      CHECK(scratch::code_of([&] { writer.write({}); }) == "unsupported");
      int syncs = 0;
      for (const auto& call : script.trace) syncs += call.name == "fsync";
      CHECK(syncs == 1);
      CHECK(folder.entries() == 0);
    }
  }
}

TEST_CASE("a failed write ends the save at once: the temporary file is gone, and nothing more is taken") {
  scratch::folder folder;
  for (const auto mode : {file_mode::replace, file_mode::create_new}) {
    scripted::script script;
    auto writer = basic_atomic_file(folder / "file", {.mode = mode}, scripted::ops{script}).open(10);
    const std::size_t descriptors = scratch::open_descriptors();
    script.fail_at = static_cast<int>(script.trace.size());
    script.error = ENOSPC;
    CHECK(scratch::code_of([&] { writer.write(detail::bytes_of("0123456789")); }) == "no_space");
    CHECK(folder.entries() == 0);
    CHECK(scratch::open_descriptors() == descriptors - 2);
    CHECK(scratch::code_of([&] { writer.write(detail::bytes_of("0123456789")); }) == "unsupported");
    CHECK(scratch::code_of([&] { writer.commit(); }) == "unsupported");
    CHECK(folder.entries() == 0);
  }
}

TEST_CASE("a save goes on through interruptions of every call") {
  for (const auto mode : {file_mode::replace, file_mode::create_new}) {
    for (const auto level : {durability::power, durability::process}) {
      for (const bool lacks : {false, true}) {
        for (const bool has_old_file : {false, true}) {
          if (has_old_file && mode == file_mode::create_new) continue;
          scratch::folder folder;
          scripted::script script;
          script.interrupts = true;
          setting with{mode, level, has_old_file, 3000000, 3500000, 700000, {}};
          if (lacks) with.lacks = {{"openat nameless", EOPNOTSUPP}, {"renameat2", EINVAL}};
          check_save(folder, with, script, {"success", true}, false);
          CHECK(script.interruptions > 20);
        }
      }
    }
  }
}

TEST_CASE("short writes of every pattern are continued, and a write of nothing is an error") {
  scratch::folder folder;
  const setting small{file_mode::replace, durability::power, true, 300, 300, 70, {}};
  for (std::size_t limit = 1; limit <= 301; ++limit) {
    for (const bool alternates : {false, true}) {
      scripted::script script;
      bool flip = false;
      script.shorten = [&](std::size_t asked) { return std::min(asked, alternates && (flip = !flip) ? 1 : limit); };
      check_save(folder, small, script, {"success", true}, false);
    }
  }
  const setting large{file_mode::create_new, durability::power, false, (std::size_t{17} << 20), (std::size_t{17} << 20), std::size_t{3} << 20, {}};
  for (const std::size_t limit : {std::size_t{65537}, (std::size_t{1} << 20) - 1, std::size_t{5} << 20}) {
    scripted::script script;
    script.shorten = [&](std::size_t asked) { return std::min(asked, limit); };
    check_save(folder, large, script, {"success", true}, false);
  }
  for (const int after : {0, 1, 2}) {
    scripted::script script;
    int writes = 0;
    script.shorten = [&](std::size_t asked) { return writes++ < after ? std::min<std::size_t>(asked, 100) : 0; };
    script.error = EIO;
    check_save(folder, small, script, {"io", false}, false);
  }
}

TEST_CASE("a save that fails can be made again, and then succeeds") {
  scratch::folder folder;
  for (int n = 0; n < 12; ++n) {
    scripted::script script;
    script.fail_at = n;
    script.error = EIO;
    const basic_atomic_file sink(folder / "file", {}, scripted::ops{script});
    scratch::code_of([&] { scratch::save_text(sink, "lost"); });
    script.fail_at = -1;
    CHECK(scratch::save_text(sink, "kept " + std::to_string(n)) == durability::power);
    CHECK(content(folder / "file") == "kept " + std::to_string(n));
  }
  CHECK(folder.leftovers() == 0);
}
