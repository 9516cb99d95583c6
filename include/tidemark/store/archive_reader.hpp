// SPDX-License-Identifier: BSL-1.0
// store/archive_reader.hpp: an archive opened for reading: header and digests checked, tensors handed out as they are checked (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_READER_HPP
#define TIDEMARK_STORE_ARCHIVE_READER_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/format/header.hpp>
#include <tidemark/store/bulk_item.hpp>
#include <tidemark/store/identity.hpp>
#include <tidemark/store/opened_archive.hpp>
#include <tidemark/store/report.hpp>
#include <tidemark/store/source_ref.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tidemark::detail {

class progress_meter;

/// One stream at a time; `run_deferred` reads what was put off, on several threads.
class archive_reader final : public tensor_input {
 public:
  /// Reads the header and the digests, and checks each. Throws `error`.
  explicit archive_reader(source_ref source);
  ~archive_reader();
  archive_reader(const archive_reader&) = delete;
  archive_reader& operator=(const archive_reader&) = delete;

  const file_header& header() const noexcept { return header_; }
  const std::optional<identity>& identity_entry() const noexcept { return identity_; }
  bool has_digests() const noexcept { return !digests_.empty(); }
  std::uint64_t blocks_checked() const noexcept { return blocks_checked_; }

  /// Throws where the file is none of a `T`, or of an older version of it. See store/identity.hpp.
  template <class T>
  stored_evolution require_schema() const {
    if (!identity_) {
      throw error({.code = errc::unsupported,
                   .problem = "it has no schema: it is a safetensors file of another writer",
                   .advice = "Open it with tidemark::archive_view, which reads the tensors of any safetensors file by name."});
    }
    require_no_shard();
    return detail::require_schema(*identity_, schema_of<T>(), identity_text_of<T>());
  }

  /// Throws where the file is one shard of several, which holds no state, nor the whole of a part.
  void require_no_shard() const;

  const tensor_info* find(std::string_view name) override;

  std::uint64_t tensor_count() const noexcept override { return header_.tensors.size(); }
  std::uint64_t data_bytes() const noexcept override { return header_.data_bytes; }

  input_stream open(const tensor_info& tensor) override { return open(tensor, 0); }
  /// From block `block` on: what is skipped before it is neither read nor checked.
  input_stream open(const tensor_info& tensor, std::uint64_t block);

  void defer_check(const tensor_info& tensor) override;
  void defer_copy(const tensor_info& tensor, bytes_span to) override;
  void defer_append(const tensor_info& tensor, void* container, append_function append) override;
  void defer_check_of_all();

  /// Carries out everything that was put off, on `threads` threads; 0: as many as there are cores, at most 4. Memory: 1 MiB a thread.
  void run_deferred(unsigned threads, progress_meter& meter);

  /// Puts off the check of every tensor that nobody asked for: what an older version stored and this one drops.
  void defer_check_of_unclaimed();

  /// Throws where the archive holds a tensor that no part of the state asked for; then forgets who asked for what.
  void require_all_claimed();

  /// For each tensor of the header, whether somebody has asked for it.
  std::vector<bool>& claims() noexcept { return is_claimed_; }
  /// Forgets what was put off by a walk that failed.
  void drop_deferred() noexcept { deferred_.clear(); }

  const file_digests& digests() const noexcept { return digests_; }

  void fill(load_report& report) const;

  /// Checks one tensor alone. Linear in its size.
  void check(const tensor_info& tensor);

 private:
  static constexpr std::size_t window_bytes = 128 * 1024;
  static constexpr std::size_t piece_bytes = 256 * 1024;

  /// Part of the file that was read ahead, for the many small tensors that lie side by side.
  struct window {
    std::uint64_t start = 0;
    std::size_t size = 0;
    std::unique_ptr<std::byte[]> bytes;
  };
  struct open_tensor {
    const tensor_info* tensor = nullptr;
    std::uint64_t done = 0;
    hasher hash;
  };

  std::uint32_t position(const tensor_info& tensor) const noexcept;

  void require_block(std::uint32_t at, std::uint64_t block, const digest128& found);

  /// The next bytes of the open tensor, checked as soon as its block is complete.
  bytes_view next_piece();

  bytes_view through_window(const tensor_info& t, std::uint64_t offset);

  source_ref source_;
  opened_archive opened_;
  file_header& header_ = opened_.header;
  file_digests& digests_ = opened_.digests;
  std::optional<identity> identity_;
  std::vector<bool> is_claimed_;
  std::size_t last_found_ = SIZE_MAX - 1;
  std::vector<bulk_item> deferred_;
  open_tensor open_;
  std::array<window, 4> windows_;
  std::unique_ptr<std::byte[]> piece_;
  std::uint64_t blocks_checked_ = 0;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/archive_reader.ipp>
#endif
#endif
