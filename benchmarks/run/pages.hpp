// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/pages.hpp: what the first write to a page costs while a forked child holds it. No bar: docs/storage.md tells the figure.
#ifndef TIDEMARK_BENCHMARKS_RUN_PAGES_HPP
#define TIDEMARK_BENCHMARKS_RUN_PAGES_HPP

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "../harness.hpp"
#include "../options.hpp"
#include "mapped_bytes.hpp"

namespace bench {

/// Writes a byte of each 4 KiB.
inline void touch(mapped_bytes& memory) {
  auto* bytes = reinterpret_cast<volatile unsigned char*>(memory.get());
  for (std::size_t at = 0; at < memory.size(); at += 4096) bytes[at] = static_cast<unsigned char>(bytes[at] + 1);
}

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
  mapped_bytes small(bytes, MADV_NOHUGEPAGE), huge(bytes, MADV_HUGEPAGE);  // where the system has them
  holding_child child;
  r.row("alone", [&] { touch(small); }, [&] { child.end(); }, repeats);
  r.row("alone, again", [&] { touch(small); }, [&] { child.end(); }, repeats);
  // What a row leaves shared the next one would copy.
  const auto forked = [&](mapped_bytes& memory) {
    return [&] {
      child.end();
      touch(memory);
      child.fork();
    };
  };
  r.row("first since a fork, 4 KiB pages", [&] { touch(small); }, forked(small), repeats);
  r.row("first since a fork, 2 MiB pages", [&] { touch(huge); }, forked(huge), repeats);
  r.run(o.rounds);
}

}  // namespace bench
#endif
