// SPDX-License-Identifier: BSL-1.0
// tests/sink/folder_listing.test.cpp: every name in a folder comes once, with what it is, on every filesystem.
#include <tidemark/sink/folder_listing.hpp>
#include <tidemark/sink/file_target.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>

using namespace tidemark;
using detail::entry_kind;
using detail::entry_names;

namespace {

template <class Ops = file_ops>
detail::descriptor<Ops> open(const std::string& path, Ops ops = {}) {
  return detail::open_folder(ops, AT_FDCWD, path, path);
}

std::map<std::string, entry_kind> by_name(const std::vector<detail::folder_entry>& entries) {
  std::map<std::string, entry_kind> found;
  for (const auto& entry : entries) CHECK_MESSAGE(found.emplace(entry.name, entry.kind).second, entry.name, " came twice");
  return found;
}

/// A filesystem that does not tell kinds with names, as some network ones.
struct blind_ops : file_ops {
  ssize_t getdents(int folder, void* into, std::size_t size) const noexcept {
    const ssize_t got = file_ops::getdents(folder, into, size);
    auto* bytes = static_cast<char*>(into);
    for (ssize_t at = 0; at < got;) {
      std::uint16_t length = 0;
      std::memcpy(&length, bytes + at + 16, sizeof length);
      bytes[at + 18] = DT_UNKNOWN;
      at += length;
    }
    return got;
  }
};

/// Answers with the bytes of a broken kernel, once.
struct broken_ops : file_ops {
  std::string answer;
  ssize_t getdents(int, void* into, std::size_t size) const noexcept {
    return static_cast<ssize_t>(answer.copy(static_cast<char*>(into), size));
  }
};

void make_one_of_each(const scratch::folder& folder) {
  scratch::put(folder / "file", "x");
  scratch::fs::create_directory(folder / "folder");
  scratch::fs::create_symlink("file", folder / "link");
  scratch::fs::create_symlink("nowhere", folder / "dangling");
  scratch::fs::create_directory_symlink("folder", folder / "to-folder");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const int number = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (folder / "socket").c_str());
  REQUIRE(::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(number);
}

}  // namespace

TEST_CASE("every kind of entry is told apart, links are not followed, also where the filesystem does not tell kinds") {
  const std::map<std::string, entry_kind> expected{{"file", entry_kind::file},     {"folder", entry_kind::folder},  {"link", entry_kind::link},
                                                   {"dangling", entry_kind::link}, {"to-folder", entry_kind::link}, {"pipe", entry_kind::other},
                                                   {"socket", entry_kind::other}};
  for (const std::string& where : {std::string("/dev/shm"), scratch::fs::temp_directory_path().string()}) {
    if (::access(where.c_str(), W_OK) != 0) continue;
    scratch::folder folder(where);
    CHECK(entry_names(open(folder.path()), folder.path()).empty());
    make_one_of_each(folder);
    CHECK(by_name(entry_names(open(folder.path()), folder.path())) == expected);
    CHECK(by_name(entry_names(open(folder.path(), blind_ops{}), folder.path())) == expected);
  }
}

TEST_CASE("names are bytes: any of them, of any length, come back as they are") {
  scratch::folder folder;
  std::vector<std::string> names{"...", ".hidden", " ", "\n", "\xff\xfe", "\xc3\xa4", "-rf", "*", std::string(255, 'n')};
  for (int c = 1; c < 256; ++c) {
    if (c != '/' && c != '.') names.push_back(std::string("c") + static_cast<char>(c));
  }
  for (std::size_t length = 1; length < 255; ++length) names.push_back(std::string(length, 'l'));
  for (const auto& name : names) scratch::put(folder / name, "");
  auto found = entry_names(open(folder.path()), folder.path());
  CHECK(found.size() == names.size());
  for (const auto& name : names) CHECK(std::find(found.begin(), found.end(), detail::folder_entry{name, entry_kind::file}) != found.end());
}

TEST_CASE("a folder of thousands of entries is read whole, and from the beginning each time") {
  scratch::folder folder;
  for (int i = 0; i < 3000; ++i) scratch::put(folder / ("a-name-that-takes-some-room-" + std::to_string(i)), "");
  const std::size_t before = scratch::open_descriptors();
  const auto opened = open(folder.path());
  for (int again = 0; again < 3; ++again) CHECK(by_name(entry_names(opened, folder.path())).size() == 3000);
  scratch::put(folder / "new", "");
  scratch::fs::remove(folder / "a-name-that-takes-some-room-7");
  const auto found = by_name(entry_names(opened, folder.path()));
  CHECK(found.size() == 3000);
  CHECK(found.count("new") == 1);
  CHECK(found.count("a-name-that-takes-some-room-7") == 0);
  CHECK(scratch::open_descriptors() == before + 1);
}

TEST_CASE("a listing survives signals, and says which folder when a call fails, with every errno, and leaks nothing") {
  scratch::folder folder;
  scratch::put(folder / "file", "");
  scripted::script interrupted;
  interrupted.interrupts = true;
  CHECK(entry_names(open(folder.path(), scripted::ops{interrupted}), folder.path()).size() == 1);
  const std::size_t before = scratch::open_descriptors();
  for (const int number : {EACCES, EIO, EMFILE, ENFILE, ENOENT, ENOMEM, ENOTDIR, EBADF, ESTALE}) {
    for (const int at : {1, 2, 3}) {
      scripted::script script;
      script.fail_at = at;
      script.error = number;
      const auto opened = open(folder.path(), scripted::ops{script});
      const auto failure = scratch::failure_of([&] { entry_names(opened, folder.path()); });
      REQUIRE(failure);
      CHECK(failure->file() == folder.path());
      CHECK(failure->system() == number);
      CHECK(failure->code() == detail::code_of_errno(number));
    }
  }
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("an entry that vanishes before its kind is known is left out; another failure is an error that names it") {
  struct vanishing_ops : blind_ops {
    int number = ENOENT;
    int fstatat(int, const char*, struct stat*, int) const noexcept { return errno = number, -1; }
  };
  scratch::folder folder;
  scratch::put(folder / "file", "");
  vanishing_ops ops;
  CHECK(entry_names(open(folder.path(), ops), folder.path()).empty());
  ops.number = EIO;
  const auto failure = scratch::failure_of([&] { entry_names(open(folder.path(), ops), folder.path()); });
  REQUIRE(failure);
  CHECK(std::string(failure->what()).find("\"file\"") != std::string::npos);
}

TEST_CASE("records that are no records are an error, not a walk through memory or without end") {
  scratch::folder folder;
  for (const std::uint16_t length : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{19}, std::uint16_t{33}, std::uint16_t{65535}}) {
    broken_ops ops;
    ops.answer.assign(32, '\0');
    std::memcpy(ops.answer.data() + 16, &length, sizeof length);
    CHECK(scratch::code_of([&] { entry_names(open(folder.path(), ops), folder.path()); }) == "io");
  }
  broken_ops ops;
  for (std::size_t size = 1; size < 19; ++size) {
    ops.answer.assign(size, '\1');
    CHECK(scratch::code_of([&] { entry_names(open(folder.path(), ops), folder.path()); }) == "io");
  }
}

TEST_CASE("a folder that was removed while it was open is an error") {
  scratch::folder folder;
  scratch::fs::create_directory(folder / "gone");
  const auto opened = open(folder / "gone");
  scratch::fs::remove(folder / "gone");
  CHECK(scratch::code_of([&] { entry_names(opened, folder / "gone"); }) == "not_found");
}
