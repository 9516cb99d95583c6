// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/pages.hpp: what the first write to a page costs while a forked child holds it. No bar: docs/storage.md tells the figure.
#ifndef TIDEMARK_BENCHMARKS_RUN_PAGES_HPP
#define TIDEMARK_BENCHMARKS_RUN_PAGES_HPP

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string>

#include "../harness.hpp"
#include "../options.hpp"

namespace bench {

/// Memory in pages of 4 KiB, or of 2 MiB where the system gives them.
class paged_bytes {
 public:
  paged_bytes(std::size_t size, bool in_huge_pages) : size_(size), bytes_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (bytes_ == MAP_FAILED) throw std::bad_alloc();
    ::madvise(bytes_, size, in_huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    std::memset(bytes_, 1, size);
  }
  paged_bytes(const paged_bytes&) = delete;
  paged_bytes& operator=(const paged_bytes&) = delete;
  ~paged_bytes() { ::munmap(bytes_, size_); }

  /// A byte of each 4 KiB.
  void touch() {
    auto* bytes = static_cast<volatile unsigned char*>(bytes_);
    for (std::size_t at = 0; at < size_; at += 4096) bytes[at] = static_cast<unsigned char>(bytes[at] + 1);
  }

 private:
  std::size_t size_;
  void* bytes_;
};

/// A child that holds the memory as it was when it was forked.
class holding_child {
 public:
  void fork() {
    end();
    pid_ = ::fork();
    if (pid_ == 0) for (;;) ::pause();
  }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  ~holding_child() { end(); }

 private:
  pid_t pid_ = 0;
};

inline void pages(const options& o) {
  const std::size_t bytes = std::size_t{o.is_quick ? 16u : 512u} << 20;
  const int repeats = static_cast<int>(bytes / 4096);
  race r("a write to each 4 KiB of " + std::to_string(bytes >> 20) + " MiB, one of them");
  paged_bytes small(bytes, false), huge(bytes, true);
  holding_child child;
  r.row("alone", [&] { small.touch(); }, [&] { child.end(); }, repeats);
  r.row("alone, again", [&] { small.touch(); }, [&] { child.end(); }, repeats);
  // What a row leaves shared the next one would copy.
  const auto forked = [&](paged_bytes& memory) {
    return [&] {
      child.end();
      memory.touch();
      child.fork();
    };
  };
  r.row("first since a fork, 4 KiB pages", [&] { small.touch(); }, forked(small), repeats);
  r.row("first since a fork, 2 MiB pages", [&] { huge.touch(); }, forked(huge), repeats);
  r.run(o.rounds);
}

}  // namespace bench
#endif
