// SPDX-License-Identifier: BSL-1.0
// tests/sink/folder_lock.test.cpp: one writer has a folder, the others are told who, and a holder that dies gives it back.
#include <tidemark/sink/folder_lock.hpp>

#include <doctest/doctest.h>
#include "child.hpp"
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>

using namespace tidemark;
using scratch::code_of;

static_assert(std::is_nothrow_move_constructible_v<folder_lock> && std::is_nothrow_move_assignable_v<folder_lock>);
static_assert(!std::is_copy_constructible_v<folder_lock> && !std::is_copy_assignable_v<folder_lock>);

namespace {

bool is_free(const std::string& folder) {
  return child::outcome_of([&] { return code_of([&] { folder_lock lock(folder); }) == "success" ? 0 : 1; }) == "exit 0";
}

/// A process that takes the lock, says so through a pipe, and waits to be ended.
struct holder {
  explicit holder(const std::string& folder) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid = ::fork();
    if (pid == 0) {
      for (const int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, SIG_DFL);  // doctest's would print
      try {
        folder_lock lock(folder);
        const char ready = '+';
        if (::write(ends[1], &ready, 1) == 1) {
          for (;;) ::pause();
        }
      } catch (...) {
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    char ready = 0;
    REQUIRE(::read(ends[0], &ready, 1) == 1);
    ::close(ends[0]);
  }
  void end(int signal) {
    ::kill(pid, signal);
    ::waitpid(pid, nullptr, 0);
  }
  pid_t pid = -1;
};

}  // namespace

TEST_CASE("a folder has one writer: a second lock is refused in the same process and in others, and free afterwards") {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  {
    const folder_lock first(folder.path());
    CHECK(first.is_held());
    CHECK(first.path() == folder.path());
    for (int again = 0; again < 3; ++again) CHECK(code_of([&] { folder_lock second(folder.path()); }) == "locked");
    CHECK_FALSE(is_free(folder.path()));
    CHECK(scratch::open_descriptors() == before + 1);
    scratch::folder other;
    CHECK(code_of([&] { folder_lock elsewhere(other.path()); }) == "success");
  }
  CHECK(scratch::open_descriptors() == before);
  CHECK(is_free(folder.path()));
  CHECK(folder.entries() == 1);  // the file stays, see the header
}

TEST_CASE("a refusal says which folder, and which process on which machine holds it since when") {
  scratch::folder folder;
  holder other(folder.path());
  const auto failure = scratch::failure_of([&] { folder_lock lock(folder.path()); });
  other.end(SIGTERM);
  REQUIRE(failure);
  CHECK(failure->code() == errc::locked);
  CHECK(failure->file() == folder.path());
  char host[256] = {};
  REQUIRE(::gethostname(host, sizeof host - 1) == 0);
  CHECK(failure->found().starts_with("process " + std::to_string(other.pid) + " on " + host + " since 20"));
  CHECK(failure->found().ends_with(" UTC"));
}

TEST_CASE("a holder that is killed, by any signal, gives the lock back, and the next one signs anew") {
  scratch::folder folder;
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    holder other(folder.path());
    CHECK_FALSE(is_free(folder.path()));
    other.end(signal);
    const folder_lock mine(folder.path());
    CHECK(scratch::content(folder / ".lock").starts_with("process " + std::to_string(::getpid()) + " on "));
  }
}

TEST_CASE("what lies in .lock is shown as text of one line, however long, and replaced by the next holder") {
  scratch::folder folder;
  for (const std::string& old : {std::string(), std::string("x\033[2Jy\nsecond"), std::string(100000, 'a'), std::string("\0\0", 2)}) {
    scratch::put(folder / ".lock", old);
    {
      const int number = ::open((folder / ".lock").c_str(), O_RDONLY | O_CLOEXEC);
      REQUIRE(::flock(number, LOCK_EX) == 0);
      const auto failure = scratch::failure_of([&] { folder_lock lock(folder.path()); });
      ::close(number);
      REQUIRE(failure);
      CHECK(failure->code() == errc::locked);
      const std::string text = failure->what();
      CHECK(text.find('\033') == std::string::npos);
      CHECK(text.find("second") == std::string::npos);
      CHECK(text.size() < 1000);
      if (old.empty()) CHECK(failure->found() == "a holder that has not said its name");
    }
    const folder_lock mine(folder.path());
    CHECK(scratch::content(folder / ".lock").size() < 400);
  }
}

TEST_CASE("a lock moves with its value, and goes when that ends, is assigned to, or releases it") {
  scratch::folder a, b;
  folder_lock first(a.path());
  folder_lock second(std::move(first));
  CHECK_FALSE(first.is_held());
  CHECK(second.is_held());
  CHECK_FALSE(is_free(a.path()));
  second = folder_lock(b.path());
  CHECK(is_free(a.path()));
  CHECK_FALSE(is_free(b.path()));
  second.release();
  CHECK_FALSE(second.is_held());
  CHECK(is_free(b.path()));
  second.release();
}

TEST_CASE("a forked child keeps the lock until both have ended") {
  scratch::folder folder;
  pid_t pid = -1;
  {
    const folder_lock lock(folder.path());
    pid = ::fork();
    if (pid == 0) {
      for (;;) ::pause();
    }
  }
  CHECK_FALSE(is_free(folder.path()));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  CHECK(is_free(folder.path()));
}

TEST_CASE("of many processes that ask at once one gets the lock") {
  scratch::folder folder;
  int ends[2], go[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::pipe(go) == 0);
  std::vector<pid_t> all;
  for (int i = 0; i < 20; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      char answer = '-';
      ::close(go[1]);
      static_cast<void>(::read(go[0], &answer, 1) == 0);  // until the parent closes it
      try {
        folder_lock lock(folder.path());
        answer = '+';
        if (::write(ends[1], &answer, 1) == 1) {
          for (;;) ::pause();
        }
      } catch (const error& e) {
        answer = e.code() == errc::locked ? '-' : '?';
        static_cast<void>(::write(ends[1], &answer, 1) == 1);
      }
      ::_exit(0);
    }
    all.push_back(pid);
  }
  ::close(go[0]);
  ::close(go[1]);
  std::string answers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    char answer = 0;
    REQUIRE(::read(ends[0], &answer, 1) == 1);
    answers += answer;
  }
  for (const pid_t pid : all) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  CHECK(std::count(answers.begin(), answers.end(), '+') == 1);
  CHECK(std::count(answers.begin(), answers.end(), '-') == 19);
}

TEST_CASE("a .lock that is a link, a folder, a pipe or a socket is refused without following or waiting for it") {
  scratch::folder folder, elsewhere;
  const std::string path = folder / ".lock";
  const auto refused = [&] {
    const auto failure = scratch::failure_of([&] { folder_lock lock(folder.path()); });
    REQUIRE(failure);
    CHECK(failure->code() == errc::unsafe_path);
    CHECK(failure->file() == path);
    scratch::fs::remove(path);
  };
  scratch::put(elsewhere / "file", "kept");
  scratch::fs::create_symlink(elsewhere / "file", path);
  refused();
  CHECK(scratch::content(elsewhere / "file") == "kept");
  scratch::fs::create_symlink(elsewhere / "new", path);
  refused();
  CHECK_FALSE(scratch::fs::exists(elsewhere / "new"));
  scratch::fs::create_directory(path);
  refused();
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  refused();
  const int number = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  REQUIRE(::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(number);
  refused();
  CHECK(code_of([&] { folder_lock lock(folder.path()); }) == "success");
}

TEST_CASE("a folder that is none is an error that names it") {
  scratch::folder folder;
  scratch::put(folder / "file", "");
  CHECK(code_of([&] { folder_lock lock(folder / "missing"); }) == "not_found");
  CHECK(code_of([&] { folder_lock lock(folder / "file"); }) == "not_found");
  CHECK(code_of([&] { folder_lock lock(""); }) == "not_found");
  CHECK(code_of([&] { folder_lock lock(std::string("a\0b", 3)); }) == "unsafe_path");
}

TEST_CASE("a filesystem without locks is an error that says so, never a lock that is none") {
  scratch::folder folder;
  for (const int number : {ENOLCK, EOPNOTSUPP, ENOSYS}) {
    scripted::script script;
    script.always["flock"] = number;
    const auto failure = scratch::failure_of([&] { basic_folder_lock lock(folder.path(), scripted::ops{script}); });
    REQUIRE(failure);
    CHECK(failure->code() == errc::unsupported);
    CHECK(failure->system() == number);
    CHECK(std::string(failure->what()).find("has no locks") != std::string::npos);
  }
}

TEST_CASE("each call may fail with each errno: a clear error, or a lock that is held, and no descriptor is lost") {
  scratch::folder folder;
  scripted::script clean;
  { basic_folder_lock lock(folder.path(), scripted::ops{clean}); }
  const auto calls = clean.names();
  CHECK(calls == std::vector<std::string>{"openat folder", "openat file", "fstat file", "flock file", "ftruncate file", "write file", "close folder",
                                          "close file"});
  for (const auto& call : clean.trace) {
    if (call.name == "openat") CHECK((call.flags & O_CLOEXEC) != 0);
    if (call.object == "file" && call.name == "openat") CHECK((call.flags & (O_CREAT | O_NOFOLLOW)) == (O_CREAT | O_NOFOLLOW));
  }
  const std::size_t before = scratch::open_descriptors();
  for (std::size_t at = 0; at < calls.size(); ++at) {
    for (const int number : {EACCES, EPERM, EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, EROFS, ENOMEM, ENOENT, EBADF, ESTALE}) {
      scripted::script script;
      script.fail_at = static_cast<int>(at);
      script.error = number;
      const auto failure = scratch::failure_of([&] {
        basic_folder_lock lock(folder.path(), scripted::ops{script});
        CHECK_FALSE(is_free(folder.path()));
      });
      const bool is_needed = at < 4;
      CHECK(failure.has_value() == is_needed);
      if (failure) {
        CHECK(failure->code() == detail::code_of_errno(number));
        CHECK(failure->system() == number);
        CHECK(failure->file() == folder.path());
      }
      CHECK(is_free(folder.path()));
    }
  }
  CHECK(scratch::open_descriptors() == before);
  scripted::script interrupted;
  interrupted.interrupts = true;
  basic_folder_lock lock(folder.path(), scripted::ops{interrupted});
  CHECK_FALSE(is_free(folder.path()));
}

TEST_CASE("a folder that is open already can be locked, wherever its path leads by then") {
  scratch::folder folder;
  scratch::fs::create_directory(folder / "run");
  const detail::descriptor<file_ops> opened(file_ops{}, ::open((folder / "run").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  scratch::fs::rename(folder / "run", folder / "moved");
  const folder_lock lock(opened, "run");
  CHECK(lock.path() == "run");
  CHECK_FALSE(is_free(folder / "moved"));
}

TEST_CASE("without the right to write there, the error says what is needed") {
  scratch::folder folder;
  scratch::fs::permissions(folder.path(), static_cast<scratch::fs::perms>(0755));
  CHECK(child::outcome_of([&] {
          child::become_nobody();
          const auto failure = scratch::failure_of([&] { folder_lock lock(folder.path()); });
          return failure && failure->code() == errc::io && std::string(failure->what()).find("permissions") != std::string::npos ? 0 : 1;
        }) == (::geteuid() == 0 ? "exit 0" : "exit 1"));
}
