// SPDX-License-Identifier: BSL-1.0
// zstd/zstd_sink.hpp: a sink that compresses with zstd, block by block, into another (floor: zstd).
#ifndef TIDEMARK_ZSTD_ZSTD_SINK_HPP
#define TIDEMARK_ZSTD_ZSTD_SINK_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/opened_writer.hpp>
#include <tidemark/store/task_threads.hpp>
#include <tidemark/zstd/block_compressor.hpp>
#include <tidemark/zstd/seek_table.hpp>

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tidemark {

struct zstd_options {
  unsigned threads = 0;                              ///< that compress; 0: as many as there are cores, at most 4
  std::size_t block_bytes = std::size_t{16} << 20;   ///< of the archive in a frame: 1 KiB to 64 MiB; what a reader unpacks at once
};

namespace detail {

/// Refuses a level or options that zstd or a reader of ours would not take. `name` is that of the sink.
inline void check_zstd(int level, const zstd_options& options, const std::string& name) {
  const auto refuse = [&](std::string problem, std::string expected) {
    throw error({.code = errc::unsupported, .file = name, .problem = std::move(problem), .expected = std::move(expected)});
  };
  if (level < 1 || level > ZSTD_maxCLevel()) refuse("zstd has no level " + std::to_string(level), "1 (fast) to " + std::to_string(ZSTD_maxCLevel()) + " (small)");
  if (options.block_bytes < 1024 || options.block_bytes > std::size_t{64} << 20) {
    refuse("blocks of " + std::to_string(options.block_bytes) + " bytes", "1024 to 67108864");
  }
  if (options.threads > 256) refuse(std::to_string(options.threads) + " threads", "at most 256");
}

}  // namespace detail

/// One save into a `zstd`.
template <class S>
class zstd_writer {
 public:
  zstd_writer(S& sink, std::uint64_t total_bytes, int level, const zstd_options& options)
      // How many bytes will come is not known: none are announced, so a disk suffices that holds the compressed file.
      : inner_(sink, 0), blocks_(new detail::block_compressor(level, detail::threads_or_default(options.threads), options.block_bytes, total_bytes)) {}

  void write(std::span<const std::byte> bytes) {
    inner_.run([&](auto& writer) { blocks_->write(bytes, taker(writer)); });
  }

  durability commit() {
    inner_.run([&](auto& writer) {
      blocks_->finish(taker(writer));
      writer.write(detail::encode_seek_table(frames_));
    });
    return inner_.commit();
  }

 private:
  template <class W>
  auto taker(W& writer) {
    return [this, &writer](detail::bytes_view frame, std::size_t plain_size) {
      if (frames_.size() == detail::most_frames) {
        throw error({.code = errc::limit, .file = inner_.name(), .problem = "a seek table holds no more than " + std::to_string(detail::most_frames) + " blocks", .advice = "Make the blocks larger."});
      }
      frames_.push_back({.size = static_cast<std::uint32_t>(frame.size()), .plain_size = static_cast<std::uint32_t>(plain_size)});
      writer.write(frame);
    };
  }

  detail::inner_writer<S> inner_;
  std::vector<detail::zstd_frame> frames_;
  std::unique_ptr<detail::block_compressor> blocks_;
};

/// Compresses into `sink`, in the seekable format of zstd: `zstd -d` gives back the plain archive byte for byte, and `zstd_source` reads
/// any part of it without unpacking the rest. Every frame has a checksum.
///
///     tidemark::save(state, tidemark::zstd{3, tidemark::atomic_file{"last.safetensors.zst"}});
///
/// Levels 1 (fast) to 22 (small); 3 is what the `zstd` tool takes. Memory: for each thread, and one more, two blocks (32 MiB), and what
/// zstd needs, a few MiB a thread at low levels and far more at 19 and above. The sink is written to by the calling thread alone.
/// Equal archives give equal bytes, whatever the number of threads, from one version of libzstd. Durability: that of `sink`.
template <Sink S>
class zstd {
 public:
  zstd(int level, S sink, zstd_options options = {}) : sink_(std::move(sink)), level_(level), options_(options) {
    detail::check_zstd(level, options, sink_.name());
  }

  zstd_writer<S> open(std::uint64_t total_bytes) { return {sink_, total_bytes, level_, options_}; }
  std::string name() const { return sink_.name(); }

  S& inner() noexcept { return sink_; }
  const S& inner() const noexcept { return sink_; }

 private:
  S sink_;
  int level_;
  zstd_options options_;
};

}  // namespace tidemark
#endif
