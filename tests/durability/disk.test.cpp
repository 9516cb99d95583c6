// SPDX-License-Identifier: BSL-1.0
// tests/durability/disk.test.cpp: the disk in memory answers as a real filesystem does, so what is proved on it holds there.
#include <doctest/doctest.h>
#include "disk.hpp"
#include "sink/scratch.hpp"

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace durability;

namespace {

/// Every path below, with the bytes of files.
std::map<std::string, std::string> tree_of(const image& disk_content) {
  std::map<std::string, std::string> result;
  const auto walk = [&](const auto& self, int at, const std::string& path) -> void {
    for (const auto& [name, target] : disk_content[static_cast<std::size_t>(at)].entries) {
      const node& n = disk_content[static_cast<std::size_t>(target)];
      result[path + "/" + name] = n.is_folder ? "a folder" : n.bytes;
      if (n.is_folder) self(self, target, path + "/" + name);
    }
  };
  walk(walk, 0, "");
  return result;
}
std::map<std::string, std::string> tree_of(const std::string& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    result[entry.path().string().substr(folder.size())] = entry.is_directory() ? "a folder" : scratch::content(entry.path());
  }
  return result;
}

}  // namespace

TEST_CASE("a disk in memory gives the answers, the errors and the files of a real one, whatever is asked of it") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::minstd_rand random{seed + 1};
    const scratch::folder folder;
    disk memory;
    real_system system;
    std::vector<std::pair<int, int>> files;  // in memory, real
    const int top = system.openat(AT_FDCWD, folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    files.emplace_back(memory.openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0), top);
    const std::vector<std::string> names{"a", "b", "c", "a/x", "b/x", "b/y"};
    for (int step = 0; step < 200; ++step) {
      CAPTURE(step);
      const std::string &one = names[random() / 7 % names.size()], &first = names[random() / 7 % 3], &second = names[random() / 7 % 3];
      const auto at = files[random() / 7 % files.size()];
      const auto folders = files.front();
      const unsigned what = static_cast<unsigned>(random() / 7 % 11);
      const std::string text = "text " + std::to_string(step);
      const auto both = [&](auto call) {
        errno = 0;
        const auto here = call(static_cast<backend&>(memory), folders.first, at.first);
        const int error_here = here < 0 ? errno : 0;
        errno = 0;
        const auto there = call(static_cast<backend&>(system), folders.second, at.second);
        const int error_there = there < 0 ? errno : 0;
        CAPTURE(what);
        CAPTURE(one);
        CAPTURE(first);
        CAPTURE(second);
        CHECK(error_here == error_there);
        CHECK((here < 0) == (there < 0));
        return std::pair{static_cast<int>(here), static_cast<int>(there)};
      };
      if (what == 0) {
        const int flags = random() / 7 % 2 == 0 ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
        const auto opened = both([&](backend& b, int in, int) { return b.openat(in, one.c_str(), flags | O_CLOEXEC, 0666); });
        if (opened.first >= 0 && opened.second >= 0) files.push_back(opened);
      }
      if (what == 1) {
        const auto opened = both([&](backend& b, int in, int) { return b.openat(in, one.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
        if (opened.first >= 0 && opened.second >= 0) files.push_back(opened);
      }
      if (what == 2) both([&](backend& b, int, int file) { return b.write(file, text.data(), text.size()); });
      if (what == 3) both([&](backend& b, int in, int) { return b.mkdirat(in, one.c_str(), 0777); });
      if (what == 4) both([&](backend& b, int in, int) { return b.renameat(in, first.c_str(), in, second.c_str()); });
      if (what == 5) both([&](backend& b, int in, int) { return b.renameat2(in, first.c_str(), in, second.c_str(), 1); });
      if (what == 6) both([&](backend& b, int in, int) { return b.unlinkat(in, one.c_str(), 0); });
      if (what == 7) both([&](backend& b, int in, int) { return b.unlinkat(in, first.c_str(), AT_REMOVEDIR); });
      if (what == 8) {
        struct stat status{};
        both([&](backend& b, int in, int) { return b.fstatat(in, one.c_str(), &status, AT_SYMLINK_NOFOLLOW); });
      }
      if (what == 9) both([&](backend& b, int in, int) { return b.linkat(in, "a", in, second.c_str(), 0); });
      if (what == 10 && files.size() > 1) both([&](backend& b, int, int file) { return b.ftruncate(file, static_cast<off_t>(step % 9)); });
    }
    CHECK((tree_of(memory.now()) == tree_of(folder.path())));
    for (const auto& [in_memory, real] : files) {
      memory.close(in_memory);
      system.close(real);
    }
    CHECK(memory.open_files() == 0);
  }
}
