// SPDX-License-Identifier: BSL-1.0
// tests/zstd/zstd_sink.test.cpp: what is compressed is what the zstd tool unpacks, byte for byte, whatever the sizes and threads.
#include <tidemark/zstd/zstd_sink.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/sink/tee.hpp>

#include <doctest/doctest.h>
#include "samples.hpp"
#include "sink/scripted_ops.hpp"

#include <cstdlib>
#include <string>
#include <vector>

using namespace tidemark;
using samples::all_of;
using samples::compressed;

static_assert(Sink<tidemark::zstd<atomic_file>> && Sink<tidemark::zstd<any_sink>> && Sink<tidemark::zstd<tidemark::tee<atomic_file, memory>>>);

namespace {

/// What `zstd -d` makes of the file at `path`.
std::string unpacked_outside(const scratch::folder& folder, const std::string& path) {
  const std::string out = folder / "unpacked";
  scratch::fs::remove(out);
  const std::string command = "zstd -d -q -f '" + path + "' -o '" + out + "'";
  return std::system(command.c_str()) == 0 ? scratch::content(out) : "zstd refuses it";
}

bool has_tool() { return std::system("zstd --version >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("sizes around the borders of blocks come back, in one frame a block, written in pieces of any size") {
  constexpr std::size_t block = 1024;
  scratch::folder folder;
  for (const std::size_t size : {0u, 1u, 2u, 1023u, 1024u, 1025u, 2047u, 2048u, 2049u, 5119u, 5120u, 5121u, 40'000u}) {
    const std::string text = samples::mixed(size);
    for (const std::size_t piece : {std::size_t{0}, std::size_t{1}, std::size_t{7}, block - 1, block, block + 1, 3 * block}) {
      for (const unsigned threads : {1u, 3u}) {
        const memory file = compressed(text, 3, {.threads = threads, .block_bytes = block}, piece);
        CAPTURE(size);
        CAPTURE(piece);
        CAPTURE(threads);
        CHECK((all_of(zstd_source{file}) == text));
        const auto read = [&](std::uint64_t at, detail::bytes_span into) { file.read(at, into); };
        CHECK(detail::seek_table_reader("file", file.size(), block, read).frames().size() == (size + block - 1) / block);
      }
    }
    if (has_tool()) {
      scratch::save_text(tidemark::zstd{3, atomic_file{folder / "x.zst"}, {.threads = 2, .block_bytes = block}}, text);
      CHECK((unpacked_outside(folder, folder / "x.zst") == text));
    }
  }
}

TEST_CASE("blocks are 16 MiB of the archive by default, and zstd -d gives back the plain file") {
  constexpr std::size_t block = std::size_t{16} << 20;
  scratch::folder folder;
  for (const std::size_t size : {block - 1, block, block + 1, 3 * block + 12345}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 4096) text.replace(i, std::min<std::size_t>(64, size - i), scratch::pattern(std::min<std::size_t>(64, size - i), static_cast<std::uint32_t>(i)));
    CHECK(scratch::save_text(tidemark::zstd{1, atomic_file{folder / "x.zst"}}, text, 1 << 20) == durability::power);
    CHECK(scratch::fs::file_size(folder / "x.zst") < size / 10);
    const zstd_source source{folder / "x.zst"};
    CHECK((all_of(source) == text));
    const file_source file(folder / "x.zst");
    const auto read = [&](std::uint64_t at, detail::bytes_span into) { file.read(at, into); };
    const auto frames = detail::seek_table_reader("file", file.size(), block, read).frames();
    CHECK(frames.size() == (size + block - 1) / block);
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) CHECK(frames[i].plain_size == block);
    if (has_tool()) CHECK((unpacked_outside(folder, folder / "x.zst") == text));
    else MESSAGE("there is no zstd tool here");
  }
}

TEST_CASE("every level compresses, and equal archives give equal bytes whatever the number of threads") {
  const std::string text = samples::mixed(100'000);
  for (int level = 1; level <= ZSTD_maxCLevel(); ++level) {
    const memory one = compressed(text, level, {.threads = 1, .block_bytes = 30'000}, 999);
    const memory four = compressed(text, level, {.threads = 4, .block_bytes = 30'000});
    CAPTURE(level);
    CHECK((all_of(zstd_source{one}) == text));
    CHECK((detail::text_of(one.bytes()) == detail::text_of(four.bytes())));
    CHECK(one.size() < text.size() * 7 / 10);
  }
  CHECK(compressed(text, 19, {}).size() < compressed(text, 1, {}).size());
}

TEST_CASE("a level, block size or number of threads that cannot be is refused before anything is opened") {
  for (const int level : {-5, -1, 0, ZSTD_maxCLevel() + 1, 1000}) {
    CHECK(scratch::code_of([&] { tidemark::zstd(level, memory{}); }) == "unsupported");
  }
  for (const std::size_t block : {std::size_t{0}, std::size_t{1023}, (std::size_t{64} << 20) + 1}) {
    CHECK(scratch::code_of([&] { tidemark::zstd(3, memory{}, {.block_bytes = block}); }) == "unsupported");
  }
  CHECK(scratch::code_of([&] { tidemark::zstd(3, memory{}, {.threads = 257}); }) == "unsupported");
  const auto refused = scratch::failure_of([&] { tidemark::zstd(99, atomic_file{"x.zst"}); });
  REQUIRE(refused);
  CHECK(std::string(refused->what()).find("zstd has no level 99; expected 1 (fast) to 22 (small)") != std::string::npos);
}

TEST_CASE("until its commit a compressed save changes nothing, whatever call of the file fails, and it is over then") {
  const std::string text = samples::mixed(50'000);
  const zstd_options options{.threads = 2, .block_bytes = 4096};
  scratch::folder folder;
  scripted::script clean;
  scratch::put(folder / "file", "old");
  scratch::save_text(tidemark::zstd{3, basic_atomic_file(folder / "file", {}, scripted::ops{clean}), options}, text, 5000);
  const std::string whole = scratch::content(folder / "file");
  int failed = 0;
  for (std::size_t at = 0; at < clean.trace.size(); ++at) {
    scratch::put(folder / "file", "old");
    scripted::script script;
    script.fail_at = static_cast<int>(at);
    script.error = EIO;
    tidemark::zstd sink{3, basic_atomic_file(folder / "file", {}, scripted::ops{script}), options};
    const std::size_t descriptors = scratch::open_descriptors();
    const std::string code = scratch::code_of([&] { scratch::save_text(sink, text, 5000); });
    failed += code == "io";
    CAPTURE(at);
    CHECK((scratch::content(folder / "file") == (code == "success" || code == "commit_unknown" ? whole : "old")));
    CHECK(scratch::open_descriptors() == descriptors);
  }
  CHECK(failed > 3);
  scratch::put(folder / "file", "old");
  tidemark::zstd sink{3, atomic_file{folder / "file"}, options};
  { sink.open(1).write(detail::bytes_of(text)); }
  CHECK(scratch::content(folder / "file") == "old");
  auto writer = sink.open(1);
  auto moved = std::move(writer);
  moved.write(detail::bytes_of(text));
  moved.commit();
  CHECK(scratch::code_of([&] { moved.write({}); }) == "unsupported");
  CHECK(scratch::code_of([&] { moved.commit(); }) == "unsupported");
  CHECK((all_of(zstd_source{folder / "file"}) == text));
}

TEST_CASE("compressed saves compose: into several sinks, or behind one type") {
  scratch::folder folder;
  const std::string text = samples::mixed(10'000);
  any_sink sink = tidemark::tee{tidemark::zstd{3, atomic_file{folder / "a.zst"}}, atomic_file{folder / "a"}, tidemark::zstd{19, tidemark::tee{atomic_file{folder / "b.zst"}, memory{}}}};
  CHECK(scratch::save_text(sink, text) == durability::none);
  CHECK((scratch::content(folder / "a") == text));
  CHECK((all_of(zstd_source{folder / "a.zst"}) == text));
  CHECK((all_of(zstd_source{folder / "b.zst"}) == text));
}
