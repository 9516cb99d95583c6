// SPDX-License-Identifier: BSL-1.0
// tests/sink/folder_sync.test.cpp: a folder is synced, and looked at afterwards, because XFS answers a sync with success when its journal is gone.
#include <tidemark/sink/folder_sync.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <string>
#include <vector>

using namespace tidemark;

TEST_CASE("a folder counts as synced only where the filesystem is still alive after the sync") {
  const scratch::folder at;
  const auto answer = [&](scripted::script& script) {
    const scripted::ops ops(script);
    const detail::descriptor<scripted::ops> folder(ops, ops.openat(AT_FDCWD, at.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
    errno = 0;
    return detail::sync_folder(folder) == 0 ? 0 : errno;
  };
  scripted::script clean;
  CHECK(answer(clean) == 0);
  CHECK(clean.names() == std::vector<std::string>{"openat folder", "fsync folder", "fstat folder", "close folder"});
  for (const int error : {EIO, ENOSPC, EROFS, EDQUOT}) {
    for (const int call : {1, 2}) {
      scripted::script script;
      script.fail_at = call;
      script.error = error;
      CHECK(answer(script) == error);
    }
  }
  scripted::script interrupted;
  const scripted::ops ops(interrupted);
  const detail::descriptor<scripted::ops> folder(ops, ops.openat(AT_FDCWD, at.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
  interrupted.interrupts = true;
  CHECK(detail::sync_folder(folder) == 0);
  CHECK(interrupted.interruptions > 2);
}
