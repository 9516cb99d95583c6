// SPDX-License-Identifier: BSL-1.0
// zstd/zstd_source.hpp: a compressed archive as a source: any part of it, from several threads, without unpacking the rest (floor: zstd).
#ifndef TIDEMARK_ZSTD_ZSTD_SOURCE_HPP
#define TIDEMARK_ZSTD_ZSTD_SOURCE_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/zstd/seek_table.hpp>

#include <zstd.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {

struct zstd_source_options {
  std::size_t blocks_kept = 6;                         ///< unpacked, in memory: the last that were used
  std::uint64_t largest_block = std::uint64_t{64} << 20;  ///< bytes; a file with larger ones is refused (`limit`)
};

namespace detail {

/// Blocks in memory, each unpacked once while it is kept. A block that someone copies from stays where it is.
class block_cache {
 public:
  explicit block_cache(std::size_t kept) : kept_((std::max)(kept, std::size_t{1})) { slots_.reserve(kept_); }

  /// Copies from byte `from` of block `number`, which has `size` bytes and which `unpack(span)` makes where it is not kept.
  template <class Unpack>
  void read(std::size_t number, std::size_t size, std::size_t from, bytes_span into, Unpack&& unpack) {
    for (std::unique_lock lock(mutex_);;) {
      slot* found = find(number);
      if (found != nullptr && found->is_ready) {
        ++found->readers;
        found->last_used = ++uses_;
        lock.unlock();
        std::memcpy(into.data(), found->bytes.get() + from, into.size());
        lock.lock();
        if (--found->readers == 0) changed_.notify_all();
        return;
      }
      slot* place = found != nullptr ? nullptr : free_slot();
      if (place == nullptr) {  // another thread is at it, or all are in use
        changed_.wait(lock);
        continue;
      }
      place->number = number;
      place->is_ready = false;
      place->is_taken = true;
      lock.unlock();
      try {
        if (place->capacity < size) {
          place->bytes.reset();
          place->capacity = 0;
          place->bytes.reset(new std::byte[size]);
          place->capacity = size;
        }
        unpack(bytes_span(place->bytes.get(), size));
      } catch (...) {
        lock.lock();
        place->is_taken = false;
        changed_.notify_all();
        throw;
      }
      lock.lock();
      place->is_ready = true;
      changed_.notify_all();
    }
  }

 private:
  struct slot {
    std::size_t number = 0, capacity = 0, readers = 0;
    std::uint64_t last_used = 0;
    std::unique_ptr<std::byte[]> bytes;
    bool is_taken = false;  ///< holds `number`, or will
    bool is_ready = false;
  };

  slot* find(std::size_t number) noexcept {
    for (slot& s : slots_) {
      if (s.is_taken && s.number == number) return &s;
    }
    return nullptr;
  }

  /// One that holds nothing, else the one that was not used for longest, else none.
  slot* free_slot() {
    slot* oldest = nullptr;
    for (slot& s : slots_) {
      if (!s.is_taken) return &s;
      if (s.is_ready && s.readers == 0 && (oldest == nullptr || s.last_used < oldest->last_used)) oldest = &s;
    }
    if (slots_.size() < kept_) return &slots_.emplace_back();  // never moves the others: their room is reserved
    return oldest;
  }

  const std::size_t kept_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<slot> slots_;
  std::uint64_t uses_ = 0;
};

}  // namespace detail

/// What was compressed into `source`, as a source: of the seekable format of zstd, as `tidemark::zstd` and other programs write it.
///
///     auto state = tidemark::load<trainer>(tidemark::zstd_source{"last.safetensors.zst"});
///
/// Opening reads the seek table and the head of every frame. A read unpacks the blocks that it touches, and keeps the last ones that
/// were used. Several threads may read at once, each unpacking another block. Memory: `blocks_kept` blocks (96 MiB with those of
/// 16 MiB), for each thread that unpacks one compressed block, and 24 bytes a block. Movable.
/// Throws `error`: corrupt, truncated, unsupported, limit, and what `source` throws. Damage in a block shows when the block is read.
template <Source S>
class zstd_source {
 public:
  explicit zstd_source(S source, zstd_source_options options = {}) : source_(std::move(source)), cache_(new detail::block_cache(options.blocks_kept)) {
    const auto read = [this](std::uint64_t offset, detail::bytes_span into) { source_.read(offset, into); };
    frames_ = detail::seek_table_reader(source_.name(), source_.size(), options.largest_block, read).frames();
    if (!frames_.empty()) size_ = frames_.back().plain_at + frames_.back().plain_size;
  }

  /// The file at `path`.
  template <class P>
    requires(!Source<P> && std::is_same_v<S, file_source> && std::is_constructible_v<file_source, const P&>)
  explicit zstd_source(const P& path, zstd_source_options options = {}) : zstd_source(file_source(path), options) {}

  std::uint64_t size() const noexcept { return size_; }  ///< of the plain archive
  std::string name() const { return source_.name(); }

  void read(std::uint64_t offset, std::span<std::byte> into) const {
    if (offset > size_ || into.size() > size_ - offset) {
      throw error({.code = errc::truncated, .file = name(), .problem = "the archive ends too early", .expected = std::to_string(into.size()) + " bytes at offset " + std::to_string(offset),
                   .found = std::to_string(size_) + " bytes in all"});
    }
    auto number = static_cast<std::size_t>(std::upper_bound(frames_.begin(), frames_.end(), offset, [](std::uint64_t at, const detail::zstd_frame& f) { return at < f.plain_at; }) - frames_.begin());
    if (number != 0) --number;
    for (; !into.empty(); ++number) {
      const detail::zstd_frame& frame = frames_[number];
      if (frame.plain_size == 0) continue;
      const auto from = static_cast<std::size_t>(offset - frame.plain_at);
      const auto piece = into.first((std::min)(into.size(), frame.plain_size - from));
      cache_->read(number, frame.plain_size, from, piece, [&](detail::bytes_span block) { unpack(frame, block); });
      offset += piece.size();
      into = into.subspan(piece.size());
    }
  }

 private:
  void unpack(const detail::zstd_frame& frame, detail::bytes_span block) const {
    if constexpr (ContiguousSource<S>) {
      unpack(frame, block, source_.bytes().subspan(static_cast<std::size_t>(frame.at), frame.size));
    } else {
      const std::unique_ptr<std::byte[]> compressed(new std::byte[frame.size]);
      source_.read(frame.at, {compressed.get(), frame.size});
      unpack(frame, block, {compressed.get(), frame.size});
    }
  }

  /// Exactly one frame, of exactly the size that the table says.
  void unpack(const detail::zstd_frame& frame, detail::bytes_span block, detail::bytes_view compressed) const {
    std::size_t result = ZSTD_findFrameCompressedSize(compressed.data(), compressed.size());
    const bool is_whole = result == compressed.size();
    if (is_whole) result = ZSTD_decompress(block.data(), block.size(), compressed.data(), compressed.size());
    if (is_whole && result == block.size()) return;
    throw error({.code = errc::corrupt,
                 .file = name(),
                 .problem = "the block of bytes " + std::to_string(frame.plain_at) + ".." + std::to_string(frame.plain_at + frame.plain_size - 1) + " cannot be unpacked (" +
                            (ZSTD_isError(result) != 0 ? ZSTD_getErrorName(result) : "its frame has another size") + ')',
                 .advice = "The file is damaged: load an older checkpoint."});
  }

  S source_;
  std::vector<detail::zstd_frame> frames_;
  std::uint64_t size_ = 0;
  std::unique_ptr<detail::block_cache> cache_;
};

template <class P>
  requires(!Source<P> && std::is_constructible_v<file_source, const P&>)
zstd_source(const P&) -> zstd_source<file_source>;
template <class P>
  requires(!Source<P> && std::is_constructible_v<file_source, const P&>)
zstd_source(const P&, zstd_source_options) -> zstd_source<file_source>;

}  // namespace tidemark
#endif
