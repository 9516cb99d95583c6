// SPDX-License-Identifier: BSL-1.0
// store/bulk_reader.hpp: reads, checks and places whole tensors on several threads (floor: store).
#ifndef TIDEMARK_STORE_BULK_READER_HPP
#define TIDEMARK_STORE_BULK_READER_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/format/header.hpp>
#include <tidemark/store/file_digests.hpp>
#include <tidemark/store/progress_meter.hpp>
#include <tidemark/store/source_ref.hpp>
#include <tidemark/store/task_threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// One tensor to read, and where to.
struct bulk_item {
  enum kind : std::uint8_t { check, copy, append };

  std::uint32_t tensor;
  kind is;
  void* to;                ///< memory, or the container that grows
  append_function append_to;
};

/// Work is cut into tasks of neighbouring small tensors, single blocks of large ones, and whole containers that grow: those
/// are filled from front to back through a buffer that stays in the cache, so that fresh memory is touched once.
class bulk_reader {
 public:
  bulk_reader(const source_ref& source, const file_header& header, const file_digests& digests, progress_meter& meter)
      : source_(source), header_(header), digests_(digests), meter_(meter) {}

  void run(std::vector<bulk_item> items, unsigned threads) {
    items_ = std::move(items);
    std::sort(items_.begin(), items_.end(), [](const bulk_item& a, const bulk_item& b) { return a.tensor < b.tensor; });
    const std::uint64_t total = cut();
    const bool is_small = total < parallel_from || tasks_.size() < 2;
    threads_.run(tasks_.size(), is_small ? 1 : (std::max)(1u, threads), [this](auto next) { work(next); });
  }

  std::uint64_t blocks_checked() const noexcept { return blocks_checked_; }

 private:
  static constexpr std::uint64_t parallel_from = std::uint64_t{4} << 20;
  static constexpr std::uint64_t small_tensor = std::uint64_t{128} << 10;
  static constexpr std::uint64_t group_bytes = std::uint64_t{1} << 20;
  static constexpr std::size_t piece_bytes = 256 * 1024;
  static_assert(piece_bytes % append_granule == 0 && block_bytes % append_granule == 0);

  /// Items `first` up to `last`; of a single large one, blocks `block` up to `last_block`.
  struct task {
    std::size_t first, last;
    std::uint64_t block, last_block;
  };

  const tensor_info& tensor(const bulk_item& item) const noexcept { return header_.tensors[item.tensor]; }

  std::uint64_t cut() {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < items_.size();) {
      const tensor_info& t = tensor(items_[i]);
      if (t.bytes > small_tensor) {
        const std::uint64_t blocks = blocks_of(t.bytes);
        if (items_[i].is == bulk_item::append) tasks_.push_back({i, i + 1, 0, blocks});
        else for (std::uint64_t b = 0; b < blocks; ++b) tasks_.push_back({i, i + 1, b, b + 1});
        total += t.bytes;
        ++i;
        continue;
      }
      std::size_t last = i;
      const std::uint64_t start = t.offset;
      while (last < items_.size() && tensor(items_[last]).bytes <= small_tensor &&
             tensor(items_[last]).offset + tensor(items_[last]).bytes - start <= group_bytes) {
        total += tensor(items_[last++]).bytes;
      }
      tasks_.push_back({i, last, 0, 0});
      i = last;
    }
    return total;
  }

  template <class Next>
  void work(Next next) {
    std::unique_ptr<std::byte[]> buffer;
    for (std::size_t at; (at = next()) < tasks_.size();) {
      if (!buffer) buffer.reset(new std::byte[group_bytes]);
      const task& t = tasks_[at];
      if (t.last_block == 0) read_group(t, buffer.get());
      else read_blocks(t, buffer.get());
    }
  }

  void place(const bulk_item& item, std::uint64_t offset, bytes_view bytes) const {
    if (bytes.empty()) return;
    if (item.is == bulk_item::copy) std::memcpy(static_cast<std::byte*>(item.to) + offset, bytes.data(), bytes.size());
    else if (item.is == bulk_item::append) item.append_to(item.to, bytes);
  }

  void read_group(const task& t, std::byte* buffer) {
    const std::uint64_t start = tensor(items_[t.first]).offset;
    const std::uint64_t bytes = tensor(items_[t.last - 1]).offset + tensor(items_[t.last - 1]).bytes - start;
    bytes_view all;
    if (source_.is_contiguous()) {
      all = source_.bytes(header_.data_start + start, bytes);
    } else {
      source_.read(header_.data_start + start, {buffer, static_cast<std::size_t>(bytes)});
      all = {buffer, static_cast<std::size_t>(bytes)};
    }
    std::uint64_t asked_for = 0;
    for (std::size_t i = t.first; i < t.last; ++i) {
      const tensor_info& info = tensor(items_[i]);
      const bytes_view own = all.subspan(static_cast<std::size_t>(info.offset - start), static_cast<std::size_t>(info.bytes));
      if (!own.empty() && !digests_.empty()) require(info, items_[i].tensor, 0, digest_of(own));
      place(items_[i], 0, own);
      asked_for += own.size();
    }
    meter_.add(asked_for);  // not what lies between them: digests and header of another shard
  }

  void read_blocks(const task& t, std::byte* buffer) {
    const bulk_item& item = items_[t.first];
    const tensor_info& info = tensor(item);
    hasher hash;
    for (std::uint64_t block = t.block; block < t.last_block; ++block) {
      const std::uint64_t end = (std::min)(info.bytes, (block + 1) * block_bytes);
      hash.reset();
      for (std::uint64_t at = block * block_bytes; at < end;) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, end - at));
        const std::uint64_t offset = header_.data_start + info.offset + at;
        bytes_view piece;
        if (source_.is_contiguous()) {
          piece = source_.bytes(offset, size);
          place(item, at, piece);
        } else if (item.is == bulk_item::copy) {  // straight into place: checked there, while it is in the cache
          const bytes_span into(static_cast<std::byte*>(item.to) + at, size);
          source_.read(offset, into);
          piece = into;
        } else {
          const bytes_span into(buffer, size);
          source_.read(offset, into);
          piece = into;
          place(item, at, piece);
        }
        if (!digests_.empty()) hash.update(piece);
        at += size;
        if (threads_.has_failed()) return;
        meter_.add(size);
      }
      if (!digests_.empty()) require(info, item.tensor, block, hash.finish());
    }
  }

  void require(const tensor_info& info, std::size_t at, std::uint64_t block, const digest128& found) {
    digests_.require(info, at, block, found);
    ++blocks_checked_;
  }

  const source_ref& source_;
  const file_header& header_;
  const file_digests& digests_;
  progress_meter& meter_;
  std::vector<bulk_item> items_;
  std::vector<task> tasks_;
  std::atomic<std::uint64_t> blocks_checked_{0};
  task_threads threads_;
};

}  // namespace tidemark::detail
#endif
