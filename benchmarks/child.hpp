// SPDX-License-Identifier: BSL-1.0
// benchmarks/child.hpp: a child process that is spoken to in lines: peers in Python, and what needs a memory of its own.
#ifndef TIDEMARK_BENCHMARKS_CHILD_HPP
#define TIDEMARK_BENCHMARKS_CHILD_HPP

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bench {

class child_process {
 public:
  explicit child_process(const std::vector<std::string>& command, bool is_quiet = false) {
    ::signal(SIGPIPE, SIG_IGN);
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) < 0 || ::pipe2(out, O_CLOEXEC) < 0) throw std::system_error(errno, std::generic_category(), "pipe2");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (is_quiet) ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    const int failure = ::posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
    if (failure != 0) id_ = -1;
  }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process() { wait(); }

  void say(const std::string& line) {
    std::fputs((line + '\n').c_str(), to_);
    std::fflush(to_);
  }

  /// The next line; nothing where the child has ended.
  std::optional<std::string> hear() {
    std::string line;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
      if (c == EOF) return std::nullopt;
      line += static_cast<char>(c);
    }
    return line;
  }
  double hear_number() {
    const auto line = hear();
    if (!line) throw std::runtime_error("a child process ended before its answer");
    return std::stod(*line);
  }

  /// Ends the conversation; 0 where the child was content.
  int wait() {
    if (to_ != nullptr) std::fclose(to_);
    if (from_ != nullptr) std::fclose(from_);
    to_ = from_ = nullptr;
    if (id_ > 0) {
      int status = 0;
      while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
      result_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
      id_ = -1;
    }
    return result_;
  }

 private:
  pid_t id_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int result_ = 127;
};

}  // namespace bench
#endif
