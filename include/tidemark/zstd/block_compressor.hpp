// SPDX-License-Identifier: BSL-1.0
// zstd/block_compressor.hpp: cuts bytes into blocks that several threads compress, and gives the frames back in order (floor: zstd).
#ifndef TIDEMARK_ZSTD_BLOCK_COMPRESSOR_HPP
#define TIDEMARK_ZSTD_BLOCK_COMPRESSOR_HPP

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>

#include <zstd.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// `take(frame, plain_size)` receives each frame, in the calling thread. Memory: for each thread and one more a block and its frame, and
/// what zstd needs at that level. Threads start when there is work for them; a single block is compressed by the caller.
class block_compressor {
 public:
  block_compressor(int level, unsigned threads, std::size_t size_of_block, std::uint64_t total_bytes)
      : level_(level), block_bytes_(size_of_block), reserved_(static_cast<std::size_t>((std::min<std::uint64_t>)(size_of_block, total_bytes))),
        most_threads_(threads), slots_(threads + 1) {}
  block_compressor(const block_compressor&) = delete;
  block_compressor& operator=(const block_compressor&) = delete;
  ~block_compressor() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    has_work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  template <class Take>
  void write(bytes_view bytes, Take&& take) {
    while (!bytes.empty()) {
      slot& filling = slots_[submitted_ % slots_.size()];
      // A full block is submitted when more comes, so that a single one never needs a thread.
      if (filling.plain.size() == block_bytes_) {
        submit();
        if (submitted_ - given_ == slots_.size()) give_oldest(take);
        continue;
      }
      if (filling.plain.capacity() == 0) filling.plain.reserve((std::max)(reserved_, (std::min)(bytes.size(), block_bytes_)));
      const bytes_view piece = bytes.first((std::min)(bytes.size(), block_bytes_ - filling.plain.size()));
      filling.plain.insert(filling.plain.end(), piece.data(), piece.data() + piece.size());
      bytes = bytes.subspan(piece.size());
    }
  }

  template <class Take>
  void finish(Take&& take) {
    const bool is_left = !slots_[submitted_ % slots_.size()].plain.empty();
    if (is_left && submitted_ == 0) compress_here();
    else if (is_left) submit();
    while (given_ != submitted_) give_oldest(take);
  }

 private:
  struct free_context {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };
  using compressor = std::unique_ptr<ZSTD_CCtx, free_context>;

  struct slot {
    std::vector<std::byte> plain;
    std::unique_ptr<std::byte[]> frame;
    std::size_t frame_capacity = 0, frame_size = 0;
    bool is_done = false;
    std::exception_ptr failure;

    bytes_view view() const noexcept { return {frame.get(), frame_size}; }
  };

  void submit() {
    if (threads_.size() < most_threads_ && threads_.size() <= submitted_ - given_) start_thread();
    if (threads_.empty()) return compress_here();
    {
      const std::lock_guard lock(mutex_);
      ++submitted_;
    }
    has_work_.notify_one();
  }

  /// The system may have no thread left. Fewer do, and so does the caller alone.
  void start_thread() {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      most_threads_ = threads_.size();
    }
  }

  void compress_here() {
    slot& mine = slots_[submitted_ % slots_.size()];
    if (!own_context_) own_context_ = make_context();
    compress(own_context_.get(), mine);
    mine.is_done = true;
    ++submitted_;
    ++taken_;
  }

  template <class Take>
  void give_oldest(Take& take) {
    slot& oldest = slots_[given_ % slots_.size()];
    {
      std::unique_lock lock(mutex_);
      is_done_.wait(lock, [&] { return oldest.is_done; });
      oldest.is_done = false;
    }
    ++given_;
    if (oldest.failure) std::rethrow_exception(std::exchange(oldest.failure, nullptr));
    take(oldest.view(), oldest.plain.size());
    oldest.plain.clear();
  }

  void work() {
    compressor context;
    for (std::unique_lock lock(mutex_);;) {
      has_work_.wait(lock, [&] { return is_stopped_ || taken_ != submitted_; });
      if (is_stopped_) return;
      slot& mine = slots_[taken_++ % slots_.size()];
      lock.unlock();
      try {
        if (!context) context = make_context();
        compress(context.get(), mine);
      } catch (...) {
        mine.failure = std::current_exception();
      }
      lock.lock();
      mine.is_done = true;
      is_done_.notify_one();
    }
  }

  compressor make_context() const {
    compressor context(ZSTD_createCCtx());
    if (!context) throw std::bad_alloc();
    require(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level_));
    require(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1));
    return context;
  }

  static void compress(ZSTD_CCtx* context, slot& s) {
    const std::size_t capacity = ZSTD_compressBound(s.plain.size());
    if (s.frame_capacity < capacity) {
      s.frame.reset();
      s.frame.reset(new std::byte[capacity]);
      s.frame_capacity = capacity;
    }
    s.frame_size = require(ZSTD_compress2(context, s.frame.get(), capacity, s.plain.data(), s.plain.size()));
  }

  static std::size_t require(std::size_t result) {
    if (ZSTD_isError(result) == 0) return result;
    throw error({.code = errc::io, .problem = std::string("zstd could not compress a block (") + ZSTD_getErrorName(result) + ')',
                 .advice = "Where memory is short, take a lower level or fewer threads."});
  }

  const int level_;
  const std::size_t block_bytes_;
  const std::size_t reserved_;
  std::size_t most_threads_;
  std::vector<slot> slots_;       ///< a ring: given <= taken <= submitted
  std::uint64_t given_ = 0;       ///< to the caller, which alone touches it
  std::uint64_t submitted_ = 0;   ///< written by the caller under the mutex; the slot at this place is being filled
  std::uint64_t taken_ = 0;       ///< by the threads, under the mutex
  bool is_stopped_ = false;
  std::mutex mutex_;
  std::condition_variable has_work_, is_done_;
  std::vector<std::thread> threads_;
  compressor own_context_;        ///< of the caller
};

}  // namespace tidemark::detail
#endif
