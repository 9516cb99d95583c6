// SPDX-License-Identifier: BSL-1.0
// tests/durability/godown.test.cpp: ext4 and XFS, shut down by ioctl before any call of a scenario, mounted again, and read by the real reader.
#include <doctest/doctest.h>
#include "rig.hpp"
#include "scenarios.hpp"
#include "sink/child.hpp"
#include "sink/scratch.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace durability;

namespace {

/// A file as a block device, until this ends.
class loop_device {
 public:
  explicit loop_device(const std::string& file) {
    const int control = ::open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    const int image = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    for (int attempt = 0; control >= 0 && image >= 0 && attempt < 20 && device_ < 0; ++attempt) {
      const int number = ::ioctl(control, LOOP_CTL_GET_FREE);
      if (number < 0) break;
      path_ = "/dev/loop" + std::to_string(number);
      const int device = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
      if (device < 0) break;
      if (::ioctl(device, LOOP_SET_FD, image) == 0) {
        loop_info64 info{};
        info.lo_flags = LO_FLAGS_AUTOCLEAR;
        ::ioctl(device, LOOP_SET_STATUS64, &info);
        device_ = device;
      } else {  // somebody was faster
        ::close(device);
      }
    }
    if (control >= 0) ::close(control);
    if (image >= 0) ::close(image);
  }
  loop_device(const loop_device&) = delete;
  ~loop_device() {
    if (device_ >= 0) ::close(device_);
  }
  bool is_there() const { return device_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int device_ = -1;
};

constexpr auto shutdown_request = _IOR('X', 125, std::uint32_t);  // of XFS; ext4 took it over
enum flag : std::uint32_t { whole = 0, journal_flushed = 1, journal_lost = 2 };

struct tally {
  int points = 0, faults = 0;
  std::string reason;
};

/// In a child of its own mounts. Every `stride`-th call of each scenario, with each flag.
tally campaign(const std::string& type, const std::string& make, std::size_t most_points) {
  tally result;
  const scratch::folder work;  // in memory: the campaign is about order, not about a slow disk
  const std::string file = work / "disk", at = work / "mount";
  std::filesystem::create_directory(at);
  std::ofstream(file).close();
  std::filesystem::resize_file(file, std::size_t{320} << 20);
  if (std::system((make + " '" + file + "' >/dev/null 2>&1").c_str()) != 0) return result.reason = "there is no mkfs." + type, result;
  const loop_device device(file);
  if (!device.is_there()) return result.reason = "no loop device is to be had", result;
  if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return result.reason = "only root may mount", result;
  const auto mount = [&] { return ::mount(device.path().c_str(), at.c_str(), type.c_str(), 0, nullptr) == 0; };
  if (!mount()) return result.reason = type + " cannot be mounted here", result;

  std::size_t possible = 0;
  for (const scenario& s : scenarios()) possible += s.is_durable ? calls_of(s, at).size() * 3 : 0;
  const std::size_t stride = std::max<std::size_t>(1, possible / most_points);
  std::size_t counter = 0;
  for (const scenario& s : scenarios()) {
    if (!s.is_durable) continue;
    const auto calls = static_cast<std::size_t>(calls_of(s, at).back().number + 1);
    for (std::size_t n = 0; n <= calls; ++n) {
      for (const std::uint32_t how : {whole, journal_flushed, journal_lost}) {
        if (counter++ % stride != 0) continue;
        real_system system;
        watch plain{.lacks = s.lacks};
        empty_folder(at);
        const int top = ::open(at.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ::syncfs(top);  // else the checkpoints of the scenario before may come back; what follows syncs itself
        s.prepare(ops(system, plain), at);
        int begun = s.before, acknowledged = s.before;
        watch by{.lacks = s.lacks};
        bool is_down = false;
        const auto shut_down = [&] {
          std::uint32_t flags = how;
          is_down = ::ioctl(top, shutdown_request, &flags) == 0;
        };
        by.before = [&](const call& c) {
          if (c.number == static_cast<int>(n)) shut_down();
          return 0;
        };
        try {
          s.run(ops(system, by), at, {[&](int v) { begun = v; }, [&](int v) { acknowledged = v; }});
        } catch (const tidemark::error&) {
        }
        if (!is_down) shut_down();
        ::close(top);
        if (!is_down) return result.reason = type + " cannot be shut down here", result;
        if (::umount(at.c_str()) != 0 || !mount()) return result.reason = "it could not be mounted again", result.faults = 1, result;
        ++result.points;
        const std::string fault = fault_in(s, at, acknowledged, begun);
        if (fault.empty()) continue;
        ++result.faults;
        std::cout << type << ", " << s.name << ", call " << n << " of " << calls << ", flag " << how << ": " << fault << std::endl;
      }
    }
  }
  ::umount(at.c_str());
  return result;
}

void prove(const std::string& type, const std::string& make) {
  const std::size_t most = setting("TIDEMARK_GODOWN", slowdown > 1 ? 25 : 75);
  const scratch::folder answers;
  const std::string answer = answers / "answer";
  // A child, since the mounts go with it.
  const std::string end = child::outcome_of([&] {
    tally result;
    try {
      result = campaign(type, make, most);
    } catch (const std::exception& e) {
      result = {0, 1, e.what()};
    }
    std::ofstream(answer) << result.points << ' ' << result.faults << ' ' << result.reason;
    return 0;
  });
  REQUIRE(end == "exit 0");
  std::ifstream in(answer);
  tally result;
  in >> result.points >> result.faults;
  std::getline(in >> std::ws, result.reason);
  CHECK_MESSAGE(result.faults == 0, result.reason);
  if (result.reason.empty()) {
    MESSAGE(type << ": " << result.points << " shutdowns");
    CHECK(result.points >= static_cast<int>(most / 2));
  } else {
    MESSAGE("skipped: " << result.reason);
  }
}

}  // namespace

TEST_CASE("an ext4 filesystem that is shut down before any call shows the old checkpoint or the new one when it is mounted again") {
  prove("ext4", "mkfs.ext4 -q -F");
}

TEST_CASE("an XFS filesystem that is shut down before any call shows the old checkpoint or the new one when it is mounted again") {
  prove("xfs", "mkfs.xfs -q -f");
}
