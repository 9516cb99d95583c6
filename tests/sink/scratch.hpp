// SPDX-License-Identifier: BSL-1.0
// tests/sink/scratch.hpp: a folder that goes away with the test, and small helpers to look into it.
#ifndef TIDEMARK_TESTS_SINK_SCRATCH_HPP
#define TIDEMARK_TESTS_SINK_SCRATCH_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/staging_name.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace scratch {

namespace fs = std::filesystem;

/// In memory where the machine has such a place, because most tests save a few thousand times.
class folder {
 public:
  explicit folder(const std::string& where = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::temp_directory_path().string()) {
    std::string pattern = where + "/tidemark-test-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder in " + where);
    path_ = pattern;
  }
  folder(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

  std::size_t entries() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator())); }
  std::size_t leftovers() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(path_)) count += tidemark::detail::is_staging_name(entry.path().filename().string());
    return count;
  }

 private:
  std::string path_;
};

/// Makes `path` the working directory while it lives.
class in_folder {
 public:
  explicit in_folder(const std::string& path) : before_(fs::current_path()) { fs::current_path(path); }
  in_folder(const in_folder&) = delete;
  ~in_folder() { fs::current_path(before_); }

 private:
  fs::path before_;
};

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "(no file)";
  std::string text(static_cast<std::size_t>(fs::file_size(path)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

inline void put(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

inline unsigned mode_of(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 ? static_cast<unsigned>(status.st_mode) & 07777u : 0u;
}

/// Bytes that show where they come from: no two pieces of them are alike.
inline std::string pattern(std::size_t size, std::uint32_t seed = 1) {
  std::string text(size, '\0');
  std::uint32_t state = seed * 2654435761u + 1;
  for (char& c : text) {
    state = state * 1664525u + 1013904223u;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

inline std::size_t open_descriptors() { return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator())); }

/// The error that `call` ends in, if any.
template <class Call>
std::optional<tidemark::error> failure_of(Call call) {
  try {
    call();
  } catch (const tidemark::error& e) {
    return e;
  }
  return std::nullopt;
}

/// The code of that error; `fallback` where the call succeeded.
template <class Call>
std::string code_of(Call call) {
  const auto failure = failure_of(call);
  return failure ? std::string(tidemark::name_of(failure->code())) : "success";
}

/// Saves `text` in pieces of `piece` bytes (all at once for 0).
template <class Sink>
tidemark::durability save_text(Sink&& sink, std::string_view text, std::size_t piece = 0) {
  auto writer = sink.open(text.size());
  if (piece == 0) piece = text.size();
  for (std::size_t at = 0; at < text.size(); at += piece) writer.write(tidemark::detail::bytes_of(text.substr(at, piece)));
  return writer.commit();
}

}  // namespace scratch
#endif
