// SPDX-License-Identifier: BSL-1.0
// tests/zstd/seek_table.test.cpp: a seek table is as its format says, and one that does not fit its file is refused.
#include <tidemark/zstd/seek_table.hpp>

#include <doctest/doctest.h>
#include "samples.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace tidemark;

namespace {

std::string frame_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string u32(std::uint64_t value) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

using entries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// A table as a stranger would write it. Each entry: compressed and plain size.
std::string table_of(const entries& all, char flags = 0, const std::string& checksum = "") {
  std::string table = u32(0x184D2A5E) + u32(all.size() * (8 + checksum.size()) + 9);
  for (const auto& [size, plain] : all) table += u32(size) + u32(plain) + checksum;
  return table + u32(all.size()) + flags + u32(0x8F92EAB1);
}

std::vector<detail::zstd_frame> frames_of(const std::string& file, std::uint64_t largest = 1 << 20) {
  const memory m(detail::bytes_of(file));
  const auto read = [&](std::uint64_t at, detail::bytes_span into) { m.read(at, into); };
  return detail::seek_table_reader("file", m.size(), largest, read).frames();
}

std::string code_of(const std::string& file, std::uint64_t largest = 1 << 20) {
  return scratch::code_of([&] { frames_of(file, largest); });
}

}  // namespace

TEST_CASE("a seek table has the bytes that its format prescribes, and is read back") {
  const std::string a = frame_of("the first"), b = frame_of(std::string(1000, 'b'));
  const std::vector<detail::zstd_frame> frames{{.size = static_cast<std::uint32_t>(a.size()), .plain_size = 9}, {.size = static_cast<std::uint32_t>(b.size()), .plain_size = 1000}};
  const auto encoded = detail::encode_seek_table(frames);
  const std::string table = table_of({{a.size(), 9}, {b.size(), 1000}});
  CHECK((detail::text_of(encoded) == table));
  const auto back = frames_of(a + b + table);
  REQUIRE(back.size() == 2);
  CHECK(back[1].at == a.size());
  CHECK(back[1].plain_at == 9);
  CHECK(back[1].size == b.size());
  CHECK(back[1].plain_size == 1000);
  CHECK(frames_of(table_of({})).empty());
}

TEST_CASE("what other programs may write is read: checksums in the table, unused bits, frames to be skipped, empty frames") {
  const std::string a = frame_of("the first"), empty = frame_of(""), skipped = u32(0x184D2A51) + u32(3) + "abc";
  CHECK(code_of(a + table_of({{a.size(), 9}}, static_cast<char>(0x80), "sumX")) == "success");
  for (const char unused : {'\1', '\2', '\3'}) CHECK(code_of(a + table_of({{a.size(), 9}}, unused)) == "success");
  CHECK(frames_of(skipped + a + empty + a + skipped + table_of({{skipped.size(), 0}, {a.size(), 9}, {empty.size(), 0}, {a.size(), 9}, {skipped.size(), 0}})).size() == 5);
  const memory file(detail::bytes_of(skipped + a + empty + a + skipped + table_of({{skipped.size(), 0}, {a.size(), 9}, {empty.size(), 0}, {a.size(), 9}, {skipped.size(), 0}})));
  CHECK(samples::all_of(zstd_source{file}) == "the firstthe first");
}

TEST_CASE("a table that does not fit its file is refused, with a code and a sentence, and takes no memory") {
  const std::string a = frame_of("the first"), b = frame_of("and the second");
  const auto good = entries{{a.size(), 9}, {b.size(), 14}};
  CHECK(code_of(a + b + table_of(good)) == "success");
  // sizes that do not add up, or are not those of the frames
  for (const std::int64_t more : {-9, -1, 1, 2, 1000}) {
    const auto off = static_cast<std::uint64_t>(more);
    CHECK(code_of(a + b + table_of({{a.size() + off, 9}, {b.size(), 14}})) == "corrupt");
    CHECK(code_of(a + b + table_of({{a.size(), 9}, {b.size() + off, 14}})) == "corrupt");
    CHECK(code_of(a + b + table_of({{a.size() + off, 9}, {b.size() - off, 14}})) == "corrupt");
    CHECK(code_of(a + b + table_of({{a.size(), 9 + off}, {b.size(), 14}})) != "success");
    CHECK(code_of(a + b + table_of({{a.size(), 9}, {b.size(), 14 + off}})) != "success");
    CHECK(code_of(a + b + table_of({{a.size(), 9 + off}, {b.size(), 14 - off}})) != "success");
  }
  CHECK(code_of(a + b + table_of({{a.size(), 9}})) == "corrupt");
  CHECK(code_of(a + b + table_of({{a.size() + b.size(), 23}})) == "corrupt");
  CHECK(code_of(a + b + table_of({{a.size(), 9}, {b.size(), 14}, {0, 0}})) == "corrupt");
  CHECK(code_of(a + std::string(b.size(), 'x') + table_of(good)) == "corrupt");
  CHECK(code_of(a + table_of({{a.size(), 0}})) == "corrupt");
  const std::string skipped = u32(0x184D2A51) + u32(3) + "abc";
  CHECK(code_of(skipped + table_of({{skipped.size(), 3}})) == "corrupt");
  // numbers of frames
  std::string table = table_of(good);
  for (const std::uint64_t count : {0ull, 1ull, 3ull, 1000ull, 0x8000000ull, 0x8000001ull, 0xFFFFFFFFull}) {
    std::string wrong = table;
    wrong.replace(wrong.size() - 9, 4, u32(count));
    CHECK(code_of(a + b + wrong) == "corrupt");
  }
  // bits that a later format may define
  for (const int bit : {2, 3, 4, 5, 6}) CHECK(code_of(a + b + table_of(good, static_cast<char>(1 << bit))) == "unsupported");
  CHECK(code_of(a + b + table_of(good, static_cast<char>(0x80))) == "corrupt");  // promises checksums that are not there
  // blocks that are larger than the reader allows
  CHECK(code_of(a + b + table_of(good), 13) == "limit");
  CHECK(code_of(a + b + table_of(good), 14) == "success");
  CHECK(code_of(a + b + table_of({{a.size(), 0xFFFFFFFF}, {b.size(), 14}})) == "limit");
}

TEST_CASE("a file without a table is told apart: cut off or of another writer, or not compressed at all") {
  const std::string a = frame_of("the first");
  CHECK(code_of(a) == "truncated");
  CHECK(code_of(a + a) == "truncated");
  CHECK(code_of("") == "corrupt");
  CHECK(code_of("a plain file, and no other") == "corrupt");
  CHECK(std::string(scratch::failure_of([&] { frames_of("a plain file, and no other"); })->what()).find("without zstd_source") != std::string::npos);
  CHECK(std::string(scratch::failure_of([&] { frames_of(a + a); })->what()).find("zstd -d") != std::string::npos);
}
