// SPDX-License-Identifier: BSL-1.0
// store/archive_reader.hpp: an archive opened for reading: header and digests checked, tensors handed out as they are checked (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_READER_HPP
#define TIDEMARK_STORE_ARCHIVE_READER_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/format/header.hpp>
#include <tidemark/store/bulk_reader.hpp>
#include <tidemark/store/identity.hpp>
#include <tidemark/store/opened_archive.hpp>
#include <tidemark/store/report.hpp>
#include <tidemark/store/source_ref.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Satisfies archive's `TensorInput`. One stream at a time; `run_deferred` reads what was put off, on several threads.
class archive_reader {
 public:
  /// Reads the header and the digests, and checks each. Throws `error`.
  explicit archive_reader(source_ref source) : source_(source), opened_(open_archive(source_)), is_claimed_(header_.tensors.size()) {
    if (const auto text = header_.meta(identity_key)) identity_ = parse_identity(*text);
  }
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
  void require_no_shard() const {
    if (const auto shard = header_.meta(shard_key)) {
      throw error({.code = errc::unsupported, .problem = "it is shard " + std::string(*shard) + " of a sharded checkpoint", .advice = "Load the folder that it lies in, as tidemark::sharded_source."});
    }
  }

  const tensor_info* find(std::string_view name) {
    // A walk asks for tensors nearly in the order of the file.
    const std::size_t next = last_found_ + 1;
    const std::uint32_t at = next < header_.tensors.size() && header_.tensors[next].name == name
                                 ? static_cast<std::uint32_t>(next)
                                 : header_.index.find(header_.tensors, name);
    if (at == name_index::none) return nullptr;
    last_found_ = at;
    is_claimed_[at] = true;
    return &header_.tensors[at];
  }

  std::uint64_t tensor_count() const noexcept { return header_.tensors.size(); }
  std::uint64_t data_bytes() const noexcept { return header_.data_bytes; }

  /// From block `block` on: what is skipped before it is neither read nor checked.
  input_stream open(const tensor_info& tensor, std::uint64_t block = 0) {
    open_ = {&tensor, block * block_bytes, {}};
    return input_stream(tensor.bytes - open_.done, [](void* self) { return static_cast<archive_reader*>(self)->next_piece(); }, this);
  }

  void defer_check(const tensor_info& tensor) { deferred_.push_back({position(tensor), bulk_item::check, nullptr, nullptr}); }
  void defer_copy(const tensor_info& tensor, bytes_span to) {
    deferred_.push_back({position(tensor), bulk_item::copy, to.data(), nullptr});
  }
  void defer_append(const tensor_info& tensor, void* container, append_function append) {
    deferred_.push_back({position(tensor), bulk_item::append, container, append});
  }
  void defer_check_of_all() {
    for (const tensor_info& tensor : header_.tensors) {
      if (tensor.name != digests_name) defer_check(tensor);
    }
  }

  /// Carries out everything that was put off. Memory: 1 MiB a thread.
  void run_deferred(unsigned threads, progress_meter& meter) {
    bulk_reader reader(source_, header_, digests_, meter);
    reader.run(std::exchange(deferred_, {}), threads);
    blocks_checked_ += reader.blocks_checked();
  }

  /// Puts off the check of every tensor that nobody asked for: what an older version stored and this one drops.
  void defer_check_of_unclaimed() {
    for (std::size_t i = 0; i < is_claimed_.size(); ++i) {
      if (!is_claimed_[i] && header_.tensors[i].name != digests_name) defer_check(header_.tensors[i]);
    }
  }

  /// Throws where the archive holds a tensor that no part of the state asked for; then forgets who asked for what.
  void require_all_claimed() {
    for (std::size_t i = 0; i < is_claimed_.size(); ++i) {
      if (!is_claimed_[i] && header_.tensors[i].name != digests_name) {
        throw error({.code = errc::corrupt, .tensor = std::string(header_.tensors[i].name), .problem = "it is in the file, but no part of its schema"});
      }
    }
    is_claimed_.assign(is_claimed_.size(), false);
  }

  /// For each tensor of the header, whether somebody has asked for it.
  std::vector<bool>& claims() noexcept { return is_claimed_; }
  /// Forgets what was put off by a walk that failed.
  void drop_deferred() noexcept { deferred_.clear(); }

  const file_digests& digests() const noexcept { return digests_; }

  void fill(load_report& report) const {
    report.source = source_.name();
    report.bytes = source_.size();
    report.has_digests = has_digests();
    report.tensors = header_.tensors.size() - (header_.find(digests_name) != nullptr ? 1 : 0);
    report.blocks = blocks_checked_;
    report.has_schema = identity_.has_value();
    report.digest = opened_.digest;
    for (const auto& [key, value] : header_.metadata) {
      if (key != "format" && key != identity_key) report.metadata.emplace_back(key, value);
    }
  }

  /// Checks one tensor alone. Linear in its size.
  void check(const tensor_info& tensor) {
    input_stream stream = open(tensor);
    stream.finish();
  }

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

  std::uint32_t position(const tensor_info& tensor) const noexcept {
    return static_cast<std::uint32_t>(&tensor - header_.tensors.data());
  }

  void require_block(std::uint32_t at, std::uint64_t block, const digest128& found) {
    if (!has_digests()) return;
    digests_.require(header_.tensors[at], at, block, found);
    ++blocks_checked_;
  }

  /// The next bytes of the open tensor, checked as soon as its block is complete.
  bytes_view next_piece() {
    const tensor_info& t = *open_.tensor;
    const std::uint64_t left = t.bytes - open_.done;
    if (left == 0) throw error({.code = errc::corrupt, .tensor = std::string(t.name), .problem = "more elements are asked for than it has"});
    const std::uint32_t at = position(t);
    const std::uint64_t offset = header_.data_start + t.offset + open_.done;
    const std::uint64_t block = open_.done / block_bytes;
    const std::uint64_t block_left = (std::min)(left, block_bytes - open_.done % block_bytes);
    if (source_.is_contiguous()) {
      const bytes_view all = source_.bytes(offset, block_left);
      require_block(at, block, digest_of(all));
      open_.done += all.size();
      return all;
    }
    if (t.bytes <= window_bytes / 2) {
      const bytes_view all = through_window(t, offset);
      require_block(at, block, digest_of(all));
      open_.done += all.size();
      return all;
    }
    if (!piece_) piece_.reset(new std::byte[piece_bytes]);
    const bytes_span piece(piece_.get(), static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, block_left)));
    source_.read(offset, piece);
    if (open_.done % block_bytes == 0) open_.hash.reset();
    open_.hash.update(piece);
    open_.done += piece.size();
    if (piece.size() == block_left) require_block(at, block, open_.hash.finish());
    return piece;
  }

  bytes_view through_window(const tensor_info& t, std::uint64_t offset) {
    // Tensors lie by element size: a walk goes forward in each of these regions, not in the file as a whole.
    window& w = windows_[size_of(t.type) >= 8 ? 0 : size_of(t.type) == 4 ? 1 : size_of(t.type) == 2 ? 2 : 3];
    if (offset < w.start || offset + t.bytes > w.start + w.size) {
      if (!w.bytes) w.bytes.reset(new std::byte[window_bytes]);
      w.size = 0;
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(window_bytes, source_.size() - offset));
      source_.read(offset, {w.bytes.get(), size});
      w.start = offset;
      w.size = size;
    }
    return {w.bytes.get() + (offset - w.start), static_cast<std::size_t>(t.bytes)};
  }

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
#endif
