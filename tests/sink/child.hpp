// SPDX-License-Identifier: BSL-1.0
// tests/sink/child.hpp: runs a piece of a test in a process of its own, which may be killed, limited, or lose its rights.
#ifndef TIDEMARK_TESTS_SINK_CHILD_HPP
#define TIDEMARK_TESTS_SINK_CHILD_HPP

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace child {

/// "exit 0", "signal 9": how the child ended. `body` returns its exit status; an exception that leaves it is status 99.
template <class Body>
std::string outcome_of(Body body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    int status = 99;
    try {
      status = body();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
  }
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit " + std::to_string(WEXITSTATUS(status));
}

/// Root may do anything, so tests of permissions give the rights up first; another user lacks them already.
inline void become_nobody() {
  if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(98);
}

}  // namespace child
#endif
