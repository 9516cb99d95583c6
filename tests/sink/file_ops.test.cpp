// SPDX-License-Identifier: BSL-1.0
// tests/sink/file_ops.test.cpp: the policy that makes every system call.
#include <tidemark/sink/file_ops.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;

static_assert(std::is_empty_v<file_ops>);  // so that nothing is stored for it

TEST_CASE("the default policy makes the calls that its members are named after") {
  const scratch::folder folder;
  constexpr file_ops ops;
  const int directory = ops.openat(AT_FDCWD, folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  REQUIRE(directory >= 0);
  const int file = ops.openat(directory, "a", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  CHECK(ops.write(file, "hello", 5) == 5);
  CHECK(ops.ftruncate(file, 4) == 0);
  CHECK(ops.fchmod(file, 0640) == 0);
  CHECK(ops.sync_file_range(file, 0, 4, SYNC_FILE_RANGE_WRITE) == 0);
  CHECK(ops.fsync(file) == 0);
  std::array<char, 4> into;
  CHECK(ops.pread(file, into.data(), into.size(), 1) == 3);
  CHECK(std::string_view(into.data(), 3) == "ell");
  struct stat status{};
  CHECK(ops.fstat(file, &status) == 0);
  CHECK(status.st_size == 4);
  CHECK(ops.fallocate(file, 0, 0, 10) == 0);
  CHECK(ops.fstatat(directory, "a", &status, 0) == 0);
  CHECK(status.st_size == 10);
  CHECK((status.st_mode & 0777) == 0640);
  void* address = ops.mmap(4, PROT_READ, MAP_SHARED, file, 0);
  REQUIRE(address != MAP_FAILED);
  CHECK(static_cast<const char*>(address)[0] == 'h');
  CHECK(ops.munmap(address, 4) == 0);
  CHECK(ops.linkat(directory, "a", directory, "b", 0) == 0);
  CHECK(ops.renameat2(directory, "a", directory, "b", detail::rename_noreplace) < 0);
  CHECK(errno == EEXIST);
  CHECK(ops.renameat2(directory, "a", directory, "c", detail::rename_noreplace) == 0);
  CHECK(ops.renameat(directory, "c", directory, "d") == 0);
  CHECK(ops.unlinkat(directory, "d", 0) == 0);
  scratch::fs::create_symlink("b", folder / "link");
  CHECK(ops.readlinkat(directory, "link", into.data(), into.size()) == 1);
  std::array<unsigned char, 16> first{}, second{};
  CHECK(ops.getrandom(first.data(), first.size(), 0) == 16);
  CHECK(ops.getrandom(second.data(), second.size(), 0) == 16);
  CHECK(first != second);
  CHECK(ops.mkdirat(directory, "inner", 0700) == 0);
  CHECK(ops.unlinkat(directory, "inner", AT_REMOVEDIR) == 0);
  std::array<char, 4096> entries;
  CHECK(ops.getdents(directory, entries.data(), entries.size()) > 0);
  CHECK(ops.getdents(directory, entries.data(), entries.size()) == 0);
  CHECK(ops.flock(file, LOCK_EX | LOCK_NB) == 0);
  const int again = ops.openat(directory, "b", O_RDWR | O_CLOEXEC, 0);
  CHECK(ops.flock(again, LOCK_EX | LOCK_NB) < 0);
  CHECK(errno == EWOULDBLOCK);
  CHECK(ops.close(again) == 0);
  struct statvfs space{};
  CHECK(ops.fstatvfs(directory, &space) == 0);
  CHECK(space.f_bsize > 0);
  CHECK(ops.close(file) == 0);
  CHECK(ops.close(directory) == 0);
  CHECK(folder.entries() == 2);
}

TEST_CASE("a call that signals interrupt is made again, any other failure is not") {
  int calls = 0;
  CHECK(detail::retry_interrupted([&] { return ++calls < 5 ? (errno = EINTR, -1) : 7; }) == 7);
  CHECK(calls == 5);
  CHECK(detail::retry_interrupted([&] { return ++calls, errno = EIO, ssize_t{-1}; }) == -1);
  CHECK(calls == 6);
}
