// SPDX-License-Identifier: BSL-1.0
// tests/sink/file_source.test.cpp: what a user of file_source and mapped_file may rely on.
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/mapped_file.hpp>

#include <doctest/doctest.h>
#include "scratch.hpp"
#include "scripted_ops.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>

using namespace tidemark;
using scratch::code_of;

static_assert(Source<file_source> && !ContiguousSource<file_source> && ContiguousSource<mapped_file>);
static_assert(std::is_nothrow_move_constructible_v<file_source> && !std::is_copy_constructible_v<file_source>);
static_assert(std::is_nothrow_move_constructible_v<mapped_file> && !std::is_copy_constructible_v<mapped_file>);

namespace {

template <class S>
std::string read_all(const S& source, std::size_t piece = 7) {
  std::string text(source.size(), '?');
  for (std::size_t at = 0; at < text.size(); at += piece) {
    source.read(at, std::as_writable_bytes(std::span(text).subspan(at, std::min(piece, text.size() - at))));
  }
  return text;
}

using recorded_source = basic_file_source<scripted::ops>;

}  // namespace

TEST_CASE_TEMPLATE("a file is read as it is, from any offset, through symlinks, empty or not", S, file_source, mapped_file) {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  for (const std::size_t size : {0u, 1u, 4095u, 4096u, 100000u}) {
    const std::string text = scratch::pattern(size);
    scratch::put(folder / "file", text);
    scratch::fs::create_symlink("file", folder / "link");
    const S source(scratch::fs::path(folder / "link"));
    CHECK(source.size() == size);
    CHECK(source.name() == folder / "link");
    CHECK(read_all(source, 977) == text);
    std::byte one[1];
    CHECK(code_of([&] { source.read(size, one); }) == "truncated");
    CHECK(code_of([&] { source.read(std::numeric_limits<std::uint64_t>::max(), one); }) == "truncated");
    CHECK(code_of([&] { source.read(size, std::span(one, 0)); }) == "success");
    scratch::fs::remove(folder / "link");
  }
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE_TEMPLATE("what is not a regular file is refused at once, by name", S, file_source, mapped_file) {
  scratch::folder folder;
  const std::size_t before = scratch::open_descriptors();
  CHECK(code_of([&] { S(folder.path()); }) == "unsafe_path");
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  CHECK(code_of([&] { S(folder / "fifo"); }) == "unsafe_path");  // and does not wait for a writer
  CHECK(code_of([&] { S("/dev/null"); }) == "unsafe_path");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder / "s";
  REQUIRE(name.size() < sizeof(address.sun_path));
  std::copy(name.begin(), name.end(), address.sun_path);
  REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(code_of([&] { S{name}; }) == "unsafe_path");
  ::close(socket);
  CHECK(code_of([&] { S(folder / "nothing"); }) == "not_found");
  scratch::put(folder / "file", "x");
  CHECK(code_of([&] { S(folder / "file/inside"); }) == "not_found");
  CHECK(code_of([&] { S(""); }) == "not_found");
  CHECK(code_of([&] { S(std::string("a\0b", 3)); }) == "unsafe_path");
  scratch::fs::create_symlink("circle", folder / "circle");
  CHECK(code_of([&] { S(folder / "circle"); }) == "unsafe_path");
  CHECK(scratch::open_descriptors() == before);
}

TEST_CASE("a failure to open names the file, the system's words and what helps") {
  const auto failure = scratch::failure_of([] { file_source("no/such/file"); });
  REQUIRE(failure);
  CHECK(std::string(failure->what()) ==
        "tidemark: no/such/file: the file does not exist (No such file or directory).\n"
        "  Check the path; a relative one starts at the working directory of the process.");
  CHECK(failure->system() == ENOENT);
}

TEST_CASE("a file that shrinks while it is read is an error, not a signal and not zeros; one that grows is read as it was") {
  scratch::folder folder;
  scratch::put(folder / "file", scratch::pattern(1000));
  const file_source source(folder / "file");
  scratch::put(folder / "file", scratch::pattern(2000));
  CHECK(source.size() == 1000);
  CHECK(read_all(source) == scratch::pattern(1000));
  scratch::fs::resize_file(folder / "file", 500);
  std::byte into[600];
  const auto failure = scratch::failure_of([&] { source.read(0, into); });
  REQUIRE(failure);
  CHECK(failure->code() == errc::truncated);
  CHECK(std::string(failure->what()).find("the end at 500") != std::string::npos);
}

TEST_CASE("short and interrupted reads of every pattern are continued") {
  scratch::folder folder;
  const std::string text = scratch::pattern(100);
  scratch::put(folder / "file", text);
  for (std::size_t limit = 1; limit <= 101; ++limit) {
    for (const bool alternates : {false, true}) {
      scripted::script script;
      script.interrupts = true;
      bool flip = false;
      script.shorten = [&](std::size_t asked) { return std::min(asked, alternates && (flip = !flip) ? 1 : limit); };
      const recorded_source source(folder / "file", scripted::ops{script});
      CHECK(read_all(source, 33) == text);
      CHECK(read_all(source, 100) == text);
    }
  }
}

TEST_CASE("every failure of every call while reading is a typed error and leaks nothing") {
  scratch::folder folder;
  const std::string text = scratch::pattern(100);
  scratch::put(folder / "file", text);
  struct expectation {
    const char* call;
    int error;
    const char* code;
  };
  const std::vector<expectation> table{
      {"openat", ENOENT, "not_found"},
      {"openat", ENOTDIR, "not_found"},
      {"openat", EACCES, "io"},
      {"openat", EPERM, "io"},
      {"openat", ELOOP, "unsafe_path"},
      {"openat", EMFILE, "io"},
      {"openat", ENFILE, "io"},
      {"openat", ENAMETOOLONG, "io"},
      {"openat", ENOMEM, "io"},
      {"openat", EOVERFLOW, "io"},
      {"openat", ENXIO, "unsafe_path"},
      {"openat", ENODEV, "unsafe_path"},
      {"openat", EIO, "io"},
      {"fstat", EIO, "io"},
      {"fstat", ENOMEM, "io"},
      {"fstat", ESTALE, "io"},
      {"pread", EIO, "io"},
      {"pread", EAGAIN, "io"},
      {"pread", ESTALE, "io"},
      {"pread", EISDIR, "unsafe_path"},
      {"pread", EINVAL, "io"},
      {"mmap", ENOMEM, "io"},
      {"mmap", ENODEV, "io"},
      {"mmap", EACCES, "io"},
      {"mmap", EAGAIN, "io"},
      {"close", EIO, "success"},
      {"munmap", EINVAL, "success"},
  };
  const std::size_t before = scratch::open_descriptors();
  for (const bool is_mapped : {false, true}) {
    const auto use = [&](scripted::script& script) {
      const std::string got = is_mapped ? read_all(basic_mapped_file<scripted::ops>(folder / "file", scripted::ops{script}))
                                        : read_all(recorded_source(folder / "file", scripted::ops{script}));
      if (got != text) FAIL("the wrong bytes, and no error");
    };
    scripted::script clean;
    use(clean);
    CHECK((clean.trace.front().flags & O_CLOEXEC) != 0);
    int tried = 0;
    for (int n = 0; n < static_cast<int>(clean.trace.size()); ++n) {
      for (const auto& row : table) {
        if (clean.trace[static_cast<std::size_t>(n)].name != row.call) continue;
        ++tried;
        scripted::script script;
        script.fail_at = n;
        script.error = row.error;
        const auto failure = scratch::failure_of([&] { use(script); });
        CAPTURE(row.call);
        CAPTURE(row.error);
        CHECK((failure ? std::string(name_of(failure->code())) : "success") == row.code);
        if (failure) CHECK(failure->file() == folder / "file");
        if (std::string_view(row.call) == "munmap") continue;  // not unmapped: leaks memory by its own will
        CHECK(scratch::open_descriptors() == before);
      }
    }
    CHECK(tried > 15);
  }
}

TEST_CASE("several threads read one file_source at once") {
  scratch::folder folder;
  const std::string text = scratch::pattern(1 << 20);
  scratch::put(folder / "file", text);
  file_source opened(folder / "file");
  const file_source source = std::move(opened);
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t) threads.emplace_back([&, t] { results[t] = read_all(source, 10007 + t); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == text);
}

TEST_CASE("a small file is read as text, and of a longer one no more than is asked for") {
  const scratch::folder folder;
  const std::string text = scratch::pattern(1000);
  scratch::put(folder / "file", text);
  scratch::put(folder / "empty", "");
  const file_source file(folder / "file");
  for (const std::uint64_t longest : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{999}, std::uint64_t{1000}, std::uint64_t{1001}, UINT64_MAX}) {
    CHECK(detail::first_bytes(file, longest) == text.substr(0, static_cast<std::size_t>((std::min<std::uint64_t>)(longest, 1000))));
  }
  CHECK(detail::first_bytes(file_source(folder / "empty"), 10).empty());
}
