// SPDX-License-Identifier: BSL-1.0
// sink/child_process.ipp: the definitions of child_process.hpp (floor: sink).
#ifndef TIDEMARK_SINK_CHILD_PROCESS_IPP
#define TIDEMARK_SINK_CHILD_PROCESS_IPP

#include <tidemark/sink/child_process.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string child_process::answer() {
  std::string text;
  std::array<char, 4096> piece;
  ssize_t got;
  while ((got = retry_interrupted([&] { return ::read(from_.get(), piece.data(), piece.size()); })) > 0) text.append(piece.data(), static_cast<std::size_t>(got));
  const int status = wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  std::string how = WIFSIGNALED(status) ? "was killed by signal " + std::to_string(WTERMSIG(status)) : "ended with status " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : status);
  throw error({.code = errc::io,
               .problem = "the child process that was saving " + std::move(how),
               .advice = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? "Perhaps the memory was full: what is changed while a forked save runs is copied." : ""});
}

TIDEMARK_DETAIL_INLINE int child_process::wait() noexcept {
  int status = 0;
  const pid_t ended = retry_interrupted([&] { return ::waitpid(id_, &status, 0); });
  id_ = -1;
  return ended < 0 ? 0 : status;
}

}  // namespace tidemark::detail
#endif
