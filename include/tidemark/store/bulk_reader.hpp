// SPDX-License-Identifier: BSL-1.0
// store/bulk_reader.hpp: reads, checks and places whole tensors on several threads (floor: store).
#ifndef TIDEMARK_STORE_BULK_READER_HPP
#define TIDEMARK_STORE_BULK_READER_HPP

#include <tidemark/format/header.hpp>
#include <tidemark/store/bulk_item.hpp>
#include <tidemark/store/file_digests.hpp>
#include <tidemark/store/source_ref.hpp>
#include <tidemark/store/task_threads.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace tidemark::detail {

class progress_meter;

/// Work is cut into tasks of neighbouring small tensors, single blocks of large ones, and whole containers that grow: those
/// are filled from front to back through a buffer that stays in the cache, so that fresh memory is touched once.
class bulk_reader {
 public:
  bulk_reader(const source_ref& source, const file_header& header, const file_digests& digests, progress_meter& meter)
      : source_(source), header_(header), digests_(digests), meter_(meter) {}

  void run(std::vector<bulk_item> items, unsigned threads);

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

  std::uint64_t cut();

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

  void place(const bulk_item& item, std::uint64_t offset, bytes_view bytes) const;

  void read_group(const task& t, std::byte* buffer);

  void read_blocks(const task& t, std::byte* buffer);

  void require(const tensor_info& info, std::size_t at, std::uint64_t block, const digest128& found);

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

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/bulk_reader.ipp>
#endif
#endif
