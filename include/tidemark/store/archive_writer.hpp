// SPDX-License-Identifier: BSL-1.0
// store/archive_writer.hpp: writes a plan as a file: header, tensors hashed as they pass, digests (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_WRITER_HPP
#define TIDEMARK_STORE_ARCHIVE_WRITER_HPP

#include <tidemark/archive/names.hpp>
#include <tidemark/archive/plan.hpp>
#include <tidemark/core/function_ref.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/format/header_writer.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

class progress_meter;

/// Whether a file keeps the digests of what it holds. Without them it is a safetensors file like any other.
enum class digests : bool { left_out, kept };

/// A file that is ready to be written: its header, and the order of its digests.
class archive_layout {
 public:
  /// What `plan` views must outlive it. Throws `error`: limit (the header), unsupported (two tensors of one name).
  archive_layout(plan_view plan, const metadata_list& metadata, digests kept = digests::kept);

  std::uint64_t bytes() const noexcept;

  /// The digest of all digests, once everything has been written.
  digest128 own_digest() const noexcept { return digests_.own(); }

  /// The same, of what would be written.
  digest128 digest();

  /// `take(bytes_view)` receives the file in order. Memory: 1 MiB, and nothing for arrays that lie in memory as they are stored.
  void write(function_ref<void(bytes_view)> take, progress_meter& meter);

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  static constexpr std::size_t small_buffer = 1024;

  /// Small arrays lie anywhere, where the processor cannot foresee them.
  static void prefetch_small(const planned_tensor& t) noexcept;

  void write_memory(std::size_t tensor, bytes_view all, function_ref<void(bytes_view)> pass);

  /// Cuts what a producer makes into blocks.
  struct made_bytes {
    digest_table& digests;
    std::size_t tensor;
    std::uint64_t left;
    function_ref<void(bytes_view)> pass;
    std::uint64_t in_block = 0, block = 0;
    hasher hash{};

    void take(bytes_view bytes);
    void close();
    [[noreturn]] static void fail();
  };

  void write_made(std::size_t tensor, const planned_tensor& t, function_ref<void(bytes_view)> pass);

  plan_view plan_;
  digests kept_;
  std::vector<tensor_info> infos_;
  digest_table digests_;
  std::string header_;
  std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/archive_writer.ipp>
#endif
#endif
