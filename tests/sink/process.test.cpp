// SPDX-License-Identifier: BSL-1.0
// sink/process.hpp: a process that has opened a GPU does not fork.
#include <tidemark/sink/process.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>

#include <cstring>
#include <string>

namespace {

/// Every descriptor leads to `target`.
struct with_target {
  tidemark::file_ops real{};
  std::string target{};
  bool has_proc = true;

  int openat(int folder, const char* path, int flags, mode_t mode) const {
    if (!has_proc) return errno = ENOENT, -1;
    return real.openat(folder, path, flags, mode);
  }
  int close(int file) const { return real.close(file); }
  int fstatat(int folder, const char* path, struct stat* into, int flags) const { return real.fstatat(folder, path, into, flags); }
  ssize_t getdents(int folder, void* into, std::size_t size) const { return real.getdents(folder, into, size); }
  ssize_t readlinkat(int, const char*, char* into, std::size_t size) const {
    const std::size_t length = std::min(size, target.size());
    std::memcpy(into, target.data(), length);
    return static_cast<ssize_t>(length);
  }
};

}  // namespace

TEST_CASE("a fork beside an open device of NVIDIA's is refused with a reason and a way out") {
  for (const char* device : {"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"}) {
    const auto failure = scratch::failure_of([&] { tidemark::detail::refuse_fork_beside_cuda(with_target{.target = device}); });
    REQUIRE(failure);
    CHECK(failure->code() == tidemark::errc::unsupported);
    CHECK(std::string(failure->what()).find("CUDA") != std::string::npos);
    CHECK(std::string(failure->what()).find("background::staged") != std::string::npos);
  }
}

TEST_CASE("other descriptors, of any length, and a system without /proc forbid no fork") {
  for (const std::string& other : {std::string("/dev/null"), std::string("/home/dev/nvidia0"), std::string("pipe:[1]"), std::string(5000, 'x'), std::string("/dev/nvidi"), std::string()}) {
    CHECK(!tidemark::detail::has_open_gpu(with_target{.target = other}));
  }
  CHECK(!tidemark::detail::has_open_gpu(with_target{.target = "/dev/nvidia0", .has_proc = false}));
  const std::size_t before = scratch::open_descriptors();
  CHECK(!tidemark::detail::has_open_gpu(tidemark::file_ops{}));
  CHECK(scratch::open_descriptors() == before);
}
