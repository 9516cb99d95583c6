// SPDX-License-Identifier: BSL-1.0
// zstd/seek_table.hpp: where each frame of a compressed archive lies, as the seekable format of zstd keeps it at the end (floor: zstd).
#ifndef TIDEMARK_ZSTD_SEEK_TABLE_HPP
#define TIDEMARK_ZSTD_SEEK_TABLE_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// One frame: bytes [at, at + size) of the file hold bytes [plain_at, plain_at + plain_size) of the archive.
struct zstd_frame {
  std::uint64_t at = 0, plain_at = 0;
  std::uint32_t size = 0, plain_size = 0;
};

inline constexpr std::uint32_t zstd_frame_magic = 0xFD2FB528;
inline constexpr std::uint32_t seek_table_magic = 0x184D2A5E;   // of a frame that decoders skip
inline constexpr std::uint32_t seek_footer_magic = 0x8F92EAB1;  // the last bytes of the file
inline constexpr std::uint32_t most_frames = 0x8000000;
inline constexpr std::size_t seek_header_bytes = 8, seek_footer_bytes = 9, longest_frame_header = 18;

/// More than any compressor makes of `plain_size` bytes: what does not get smaller is stored as it is, behind a few bytes.
constexpr std::uint64_t longest_frame(std::uint32_t plain_size) noexcept { return std::uint64_t{2} * plain_size + 1024; }

/// The table of `frames` as it lies in the file, without checksums: the frames have their own.
inline std::vector<std::byte> encode_seek_table(const std::vector<zstd_frame>& frames) {
  std::vector<std::byte> table;
  table.reserve(seek_header_bytes + frames.size() * 8 + seek_footer_bytes);
  const auto put = [&](auto value) {
    const bytes_view bytes = object_bytes(value);
    table.insert(table.end(), bytes.begin(), bytes.end());
  };
  const auto count = static_cast<std::uint32_t>(frames.size());
  put(seek_table_magic);
  put(static_cast<std::uint32_t>(count * 8 + seek_footer_bytes));
  for (const zstd_frame& frame : frames) {
    put(frame.size);
    put(frame.plain_size);
  }
  put(count);
  put(std::uint8_t{0});
  put(seek_footer_magic);
  return table;
}

/// Reads and checks the table of a file of `size` bytes: it must account for every byte, and agree with the head of every frame, which
/// costs a small read each. `read(offset, into)` reads the file. Memory: three times the bytes of the table.
/// Throws `error`: truncated, corrupt, unsupported, limit (a frame of more than `largest_block` bytes).
template <class Read>
class seek_table_reader {
 public:
  seek_table_reader(std::string name, std::uint64_t size, std::uint64_t largest_block, Read read)
      : name_(std::move(name)), size_(size), largest_block_(largest_block), read_(std::move(read)) {}

  std::vector<zstd_frame> frames() {
    std::array<std::byte, seek_footer_bytes> footer;
    if (size_ < seek_header_bytes + seek_footer_bytes) fail_without_table();
    read_(size_ - footer.size(), bytes_span(footer));
    if (load_as<std::uint32_t>(footer.data() + 5) != seek_footer_magic) fail_without_table();
    const auto count = load_as<std::uint32_t>(footer.data());
    const auto flags = std::to_integer<unsigned>(footer[4]);
    if ((flags & 0x7C) != 0) fail(errc::unsupported, "its seek table is of a later format than this library knows", "flags of 0", std::to_string(flags));
    const std::size_t entry_bytes = (flags & 0x80) != 0 ? 12 : 8;  // with a checksum, which is not needed
    const std::uint64_t content = std::uint64_t{count} * entry_bytes + footer.size();
    if (count > most_frames || content + seek_header_bytes > size_) {
      fail(errc::corrupt, "its seek table cannot be that long", "at most " + std::to_string(size_) + " bytes", std::to_string(count) + " frames");
    }
    const std::uint64_t table_at = size_ - content - seek_header_bytes;
    std::array<std::byte, seek_header_bytes> header;
    read_(table_at, bytes_span(header));
    if (load_as<std::uint32_t>(header.data()) != seek_table_magic || load_as<std::uint32_t>(header.data() + 4) != content) {
      fail(errc::corrupt, "its seek table does not begin where its length says", "a frame of " + std::to_string(content) + " bytes at offset " + std::to_string(table_at), "another");
    }
    std::vector<zstd_frame> all = entries(table_at + seek_header_bytes, count, entry_bytes, table_at);
    for (const zstd_frame& frame : all) check_head(frame);
    return all;
  }

 private:
  std::vector<zstd_frame> entries(std::uint64_t at, std::uint32_t count, std::size_t entry_bytes, std::uint64_t table_at) {
    constexpr std::size_t entries_at_once = 1024;
    std::vector<zstd_frame> all;
    all.reserve(count);
    std::vector<std::byte> piece;
    zstd_frame next;
    for (std::uint32_t done = 0; done < count;) {
      const auto now = (std::min)(entries_at_once, static_cast<std::size_t>(count - done));
      piece.resize(now * entry_bytes);
      read_(at + std::uint64_t{done} * entry_bytes, bytes_span(piece));
      for (std::size_t i = 0; i < now; ++i) {
        next.size = load_as<std::uint32_t>(piece.data() + i * entry_bytes);
        next.plain_size = load_as<std::uint32_t>(piece.data() + i * entry_bytes + 4);
        if (next.plain_size > largest_block_) {
          throw error({.code = errc::limit, .file = name_, .problem = "a block of it takes more memory than it may", .expected = "at most " + std::to_string(largest_block_) + " bytes",
                       .found = std::to_string(next.plain_size), .advice = "Raise zstd_source_options::largest_block if you trust it, or unpack it with `zstd -d`."});
        }
        if (next.size > table_at - next.at || (next.plain_size != 0 && next.size > longest_frame(next.plain_size))) {
          fail(errc::corrupt, "its seek table has a frame that cannot be that long", "", std::to_string(next.size) + " bytes of " + std::to_string(next.plain_size));
        }
        all.push_back(next);
        next.at += next.size;
        next.plain_at += next.plain_size;
      }
      done += static_cast<std::uint32_t>(now);
    }
    if (next.at != table_at) {
      fail(errc::corrupt, "its seek table does not account for all of it", std::to_string(table_at) + " bytes in frames", std::to_string(next.at));
    }
    return all;
  }

  /// A wrong size of one frame would shift all that follow, and those would be read without it.
  void check_head(const zstd_frame& frame) {
    std::array<std::byte, longest_frame_header> head;
    const auto size = (std::min)(head.size(), static_cast<std::size_t>(frame.size));
    read_(frame.at, bytes_span(head).first(size));
    const unsigned long long stored = ZSTD_getFrameContentSize(head.data(), size);
    const bool is_zstd = size >= 4 && load_as<std::uint32_t>(head.data()) == zstd_frame_magic;
    const bool is_unknown = stored == ZSTD_CONTENTSIZE_UNKNOWN && is_zstd;  // other writers may leave it out
    if (stored == ZSTD_CONTENTSIZE_ERROR || (!is_unknown && stored != frame.plain_size) || (!is_zstd && frame.plain_size != 0)) {
      fail(errc::corrupt, "the frame at offset " + std::to_string(frame.at) + " is not what the seek table says", std::to_string(frame.plain_size) + " bytes", stored == ZSTD_CONTENTSIZE_ERROR || !is_zstd ? "no frame" : std::to_string(stored));
    }
  }

  [[noreturn]] void fail_without_table() {
    std::array<std::byte, 4> start{};
    if (size_ >= start.size()) read_(0, bytes_span(start));
    const auto magic = load_as<std::uint32_t>(start.data());
    if (magic != zstd_frame_magic && (magic & 0xFFFFFFF0) != 0x184D2A50) {
      throw error({.code = errc::corrupt, .file = name_, .problem = "it is not compressed with zstd", .advice = "Load a plain archive without zstd_source."});
    }
    throw error({.code = errc::truncated,
                 .file = name_,
                 .problem = "it does not end with a seek table",
                 .advice = "It was cut off, or compressed by a program that writes none: then unpack it with `zstd -d`, and load what that gives."});
  }

  [[noreturn]] void fail(errc code, std::string problem, std::string expected, std::string found) const {
    throw error({.code = code, .file = name_, .problem = std::move(problem), .expected = std::move(expected), .found = std::move(found),
                 .advice = code == errc::corrupt ? "The file is damaged." : ""});
  }

  std::string name_;
  std::uint64_t size_;
  std::uint64_t largest_block_;
  Read read_;
};

}  // namespace tidemark::detail
#endif
