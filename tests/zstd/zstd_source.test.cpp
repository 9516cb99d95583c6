// SPDX-License-Identifier: BSL-1.0
// tests/zstd/zstd_source.test.cpp: any part of a compressed archive, from several threads; damage of every bit is seen.
#include <tidemark/zstd/zstd_source.hpp>

#include <tidemark/sink/any_sink.hpp>
#include <tidemark/sink/atomic_file.hpp>
#include <tidemark/store/load.hpp>
#include <tidemark/store/open.hpp>
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>
#include "samples.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace tidemark;
using samples::all_of;
using samples::compressed;

static_assert(Source<zstd_source<memory>> && Source<zstd_source<any_source>> && !ContiguousSource<zstd_source<memory>>);
static_assert(std::is_same_v<decltype(zstd_source{"path"}), zstd_source<file_source>>);
static_assert(std::is_same_v<decltype(zstd_source{std::filesystem::path("path"), {}}), zstd_source<file_source>>);

namespace {

/// Counts the reads of each place.
struct watched {
  const memory* file;
  std::map<std::uint64_t, int>* reads;
  std::mutex* mutex;
  std::uint64_t size() const { return file->size(); }
  std::string name() const { return "watched"; }
  void read(std::uint64_t offset, std::span<std::byte> into) const {
    {
      const std::lock_guard lock(*mutex);
      ++(*reads)[offset];
    }
    file->read(offset, into);
  }
};

struct state {
  std::uint64_t step = 0;
  std::vector<float> weights;
  std::string note;
};

}  // namespace

TEST_CASE("any part of a compressed archive is read, at every offset, and nothing past its end") {
  constexpr std::size_t block = 1024;
  const std::string text = samples::mixed(3 * block + 17);
  const zstd_source source{compressed(text, 3, {.block_bytes = block}), {.blocks_kept = 2}};
  CHECK(source.size() == text.size());
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, block, block + 1, 2 * block + 5, text.size()}) {
    for (std::size_t at = 0; at + size <= text.size(); at += size > 100 ? 13 : 1) {
      std::string piece(size, '?');
      source.read(at, std::as_writable_bytes(std::span(piece)));
      REQUIRE((piece == text.substr(at, size)));
    }
  }
  std::byte into[2];
  CHECK(scratch::code_of([&] { source.read(text.size() - 1, into); }) == "truncated");
  CHECK(scratch::code_of([&] { source.read(text.size() + 1, std::span(into, 0)); }) == "truncated");
  CHECK(scratch::code_of([&] { source.read(UINT64_MAX, into); }) == "truncated");
  CHECK(scratch::code_of([&] { source.read(text.size(), std::span(into, 0)); }) == "success");
  const zstd_source empty{compressed("", 3, {})};
  CHECK(empty.size() == 0);
  CHECK(all_of(empty).empty());
  CHECK(scratch::code_of([&] { empty.read(0, into); }) == "truncated");
}

TEST_CASE("a state saved compressed loads, restores, verifies and opens like a plain one, from a path too") {
  scratch::folder folder;
  const std::string path = folder / "x.safetensors.zst";
  const state before{7, std::vector<float>(100'000, 1.5f), "a note"};
  const auto report = save(before, tidemark::zstd{3, atomic_file{path}, {.block_bytes = 65536}});
  CHECK(report.destination == path);
  CHECK(report.level == durability::power);
  CHECK(scratch::fs::file_size(path) < report.bytes / 10);
  const auto after = load<state>(zstd_source{path});
  CHECK(after.step == 7);
  CHECK((after.weights == before.weights));
  CHECK(after.note == "a note");
  state again;
  restore(again, zstd_source{std::filesystem::path(path)});
  CHECK((again.weights == before.weights));
  verify(zstd_source{path, {.blocks_kept = 1}});
  auto archive = open(zstd_source{path});
  CHECK(archive.read<std::uint64_t>("step") == 7);
  CHECK(scratch::code_of([&] { static_cast<void>(load<state>(path)); }) != "success");
  CHECK(scratch::code_of([&] { zstd_source missing{folder / "none"}; }) == "not_found");
  memory plain;
  save(before, plain);
  CHECK((all_of(zstd_source{path}) == detail::text_of(plain.bytes())));
}

TEST_CASE("a block is unpacked once while it is kept, however many threads read it, and no more are kept than asked for") {
  constexpr std::size_t block = 1024;
  const std::string text = samples::mixed(8 * block);
  const memory file = compressed(text, 1, {.block_bytes = block});
  std::mutex mutex;
  for (const std::size_t kept : {std::size_t{1}, std::size_t{3}, std::size_t{8}}) {
    std::map<std::uint64_t, int> reads;
    const zstd_source source{watched{&file, &reads, &mutex}, {.blocks_kept = kept}};
    reads.clear();
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    const auto walk = [&](std::size_t from) {
      for (std::size_t round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < 8; ++i) {
          const std::size_t at = (from + i) % 8 * block + round;
          std::string piece(700, '?');
          source.read(at, std::as_writable_bytes(std::span(piece)));
          if (piece != text.substr(at, 700)) ++wrong;
        }
      }
    };
    for (std::size_t t = 0; t < 4; ++t) threads.emplace_back(walk, t * 2);
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
    if (kept == 8) {
      CHECK(reads.size() == 8);
      for (const auto& [at, times] : reads) CHECK(times == 1);
    }
    // One after another, in order: what is kept is what was used last.
    reads.clear();
    std::byte one[1];
    for (std::size_t i = 0; i < 8; ++i) source.read(i * block, one);
    for (std::size_t i = 8 - kept; i < 8; ++i) source.read(i * block, one);
    int total = 0;
    for (const auto& [at, times] : reads) total += times;
    CHECK(total <= 8);
    reads.clear();
    for (std::size_t i = 8 - kept; i < 8; ++i) source.read(i * block, one);
    CHECK(reads.empty());
  }
}

TEST_CASE("every bit flip of a compressed file is an error or changes nothing, in any order of reading") {
  constexpr std::size_t block = 1024;
  for (const std::size_t size : {std::size_t{300}, 2 * block + 100}) {
    const std::string text = samples::mixed(size);
    const memory file = compressed(text, 3, {.block_bytes = block});
    std::string bytes(detail::text_of(file.bytes()));
    int refused = 0, same = 0;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      CAPTURE(bit);
      try {
        const zstd_source source{memory(detail::bytes_of(bytes))};
        bool is_whole = true;
        // Each block alone: a wrong one is no excuse for the others.
        for (std::size_t at = 0; at < size; at += block) {
          std::string piece(std::min(block, size - at), '?');
          try {
            source.read(at, std::as_writable_bytes(std::span(piece)));
          } catch (const error& e) {
            CHECK(e.code() == errc::corrupt);
            is_whole = false;
            continue;
          }
          REQUIRE((piece == text.substr(at, block)));
        }
        if (is_whole) REQUIRE((all_of(source) == text));
        ++(is_whole ? same : refused);
      } catch (const error&) {
        ++refused;
      }
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    }
    MESSAGE(refused << " flips refused, " << same << " without effect");
    CHECK(refused > same * 20);
  }
}

TEST_CASE("every cut of a compressed file is an error at opening") {
  const memory file = compressed(samples::mixed(3000), 3, {.block_bytes = 1024});
  for (std::size_t size = 0; size < file.size(); ++size) {
    const memory cut(file.bytes().first(size));
    CHECK(scratch::code_of([&] { zstd_source source{cut}; }) != "success");
  }
}

TEST_CASE("frames that are forged to fit the table are errors, and take no more memory than their table says") {
  const auto frame_of = [](const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
    return out;
  };
  const auto file_of = [](const std::string& frames, std::size_t plain) {
    const auto table = detail::encode_seek_table({{.size = static_cast<std::uint32_t>(frames.size()), .plain_size = static_cast<std::uint32_t>(plain)}});
    return frames + std::string(detail::text_of(table));
  };
  const std::string a = frame_of("the first");
  CHECK(all_of(zstd_source{memory(detail::bytes_of(file_of(a, 9)))}) == "the first");
  for (const std::string& tail : {a, std::string("x"), std::string("\x51\x2A\x4D\x18\0\0\0\0", 8)}) {  // more than one frame
    const zstd_source source{memory(detail::bytes_of(file_of(a + tail, 9)))};
    CHECK(scratch::code_of([&] { all_of(source); }) == "corrupt");
    CHECK(scratch::code_of([&] { all_of(source); }) == "corrupt");  // and it stays one
  }
  // a frame that does not say its size, and unpacks to another than the table promises
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string silent(200, '\0');
  silent.resize(ZSTD_compress2(context, silent.data(), silent.size(), "the first", 9));
  ZSTD_freeCCtx(context);
  CHECK(all_of(zstd_source{memory(detail::bytes_of(file_of(silent, 9)))}) == "the first");
  for (const std::size_t plain : {std::size_t{1}, std::size_t{8}, std::size_t{10}, std::size_t{100'000}}) {
    const zstd_source source{memory(detail::bytes_of(file_of(silent, plain)))};
    CHECK(scratch::code_of([&] { all_of(source); }) == "corrupt");
  }
}

TEST_CASE("a damaged block is an error for every thread that waits for it, and the others are read") {
  const std::string text = samples::mixed(4096);
  const memory file = compressed(text, 3, {.block_bytes = 1024});
  std::string bytes(detail::text_of(file.bytes()));
  bytes[100] = static_cast<char>(bytes[100] ^ 16);
  const zstd_source source{memory(detail::bytes_of(bytes)), {.blocks_kept = 2}};
  std::atomic<int> refused{0}, right{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t at = (t + i) % 4 * 1024;
        std::string piece(1024, '?');
        try {
          source.read(at, std::as_writable_bytes(std::span(piece)));
          right += piece == text.substr(at, 1024);
        } catch (const error& e) {
          refused += e.code() == errc::corrupt && at == 0;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(refused == 60);
  CHECK(right == 180);
}
