// SPDX-License-Identifier: BSL-1.0
// store/bulk_reader.ipp: the definitions of bulk_reader.hpp (floor: store).
#ifndef TIDEMARK_STORE_BULK_READER_IPP
#define TIDEMARK_STORE_BULK_READER_IPP

#include <tidemark/store/bulk_reader.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/store/progress_meter.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void bulk_reader::run(std::vector<bulk_item> items, unsigned threads) {
  items_ = std::move(items);
  std::sort(items_.begin(), items_.end(), [](const bulk_item& a, const bulk_item& b) { return a.tensor < b.tensor; });
  const std::uint64_t total = cut();
  const bool is_small = total < parallel_from || tasks_.size() < 2;
  threads_.run(tasks_.size(), is_small ? 1 : (std::max)(1u, threads), [this](auto next) { work(next); });
}

TIDEMARK_DETAIL_INLINE std::uint64_t bulk_reader::cut() {
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

TIDEMARK_DETAIL_INLINE void bulk_reader::place(const bulk_item& item, std::uint64_t offset, bytes_view bytes) const {
  if (bytes.empty()) return;
  if (item.is == bulk_item::copy) std::memcpy(static_cast<std::byte*>(item.to) + offset, bytes.data(), bytes.size());
  else if (item.is == bulk_item::append) item.append_to(item.to, bytes);
}

TIDEMARK_DETAIL_INLINE void bulk_reader::read_group(const task& t, std::byte* buffer) {
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

TIDEMARK_DETAIL_INLINE void bulk_reader::read_blocks(const task& t, std::byte* buffer) {
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

TIDEMARK_DETAIL_INLINE void bulk_reader::require(const tensor_info& info, std::size_t at, std::uint64_t block, const digest128& found) {
  digests_.require(info, at, block, found);
  ++blocks_checked_;
}

}  // namespace tidemark::detail
#endif
