// SPDX-License-Identifier: BSL-1.0
// store/archive_reader.ipp: the definitions of archive_reader.hpp (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_READER_IPP
#define TIDEMARK_STORE_ARCHIVE_READER_IPP

#include <tidemark/store/archive_reader.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/store/bulk_reader.hpp>
#include <tidemark/store/task_threads.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE archive_reader::archive_reader(source_ref source) : source_(source), opened_(open_archive(source_)), is_claimed_(header_.tensors.size()) {
  if (const auto text = header_.meta(identity_key)) identity_ = parse_identity(*text);
}

TIDEMARK_DETAIL_INLINE void archive_reader::require_no_shard() const {
  if (const auto shard = header_.meta(shard_key)) {
    throw error({.code = errc::unsupported, .problem = "it is shard " + std::string(*shard) + " of a sharded checkpoint", .advice = "Load the folder that it lies in, as tidemark::sharded_source."});
  }
}

TIDEMARK_DETAIL_INLINE const tensor_info* archive_reader::find(std::string_view name) {
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

TIDEMARK_DETAIL_INLINE input_stream archive_reader::open(const tensor_info& tensor, std::uint64_t block) {
  open_ = {&tensor, block * block_bytes, {}};
  return input_stream(tensor.bytes - open_.done, [](void* self) { return static_cast<archive_reader*>(self)->next_piece(); }, this);
}

TIDEMARK_DETAIL_INLINE archive_reader::~archive_reader() = default;

TIDEMARK_DETAIL_INLINE void archive_reader::defer_check(const tensor_info& tensor) {
  deferred_.push_back({position(tensor), bulk_item::check, nullptr, nullptr});
}

TIDEMARK_DETAIL_INLINE void archive_reader::defer_copy(const tensor_info& tensor, bytes_span to) {
  deferred_.push_back({position(tensor), bulk_item::copy, to.data(), nullptr});
}

TIDEMARK_DETAIL_INLINE void archive_reader::defer_append(const tensor_info& tensor, void* container, append_function append) {
  deferred_.push_back({position(tensor), bulk_item::append, container, append});
}

TIDEMARK_DETAIL_INLINE void archive_reader::defer_check_of_all() {
  for (const tensor_info& tensor : header_.tensors) {
    if (tensor.name != digests_name) defer_check(tensor);
  }
}

TIDEMARK_DETAIL_INLINE void archive_reader::run_deferred(unsigned threads, progress_meter& meter) {
  bulk_reader reader(source_, header_, digests_, meter);
  reader.run(std::exchange(deferred_, {}), threads_or_default(threads));
  blocks_checked_ += reader.blocks_checked();
}

TIDEMARK_DETAIL_INLINE void archive_reader::defer_check_of_unclaimed() {
  for (std::size_t i = 0; i < is_claimed_.size(); ++i) {
    if (!is_claimed_[i] && header_.tensors[i].name != digests_name) defer_check(header_.tensors[i]);
  }
}

TIDEMARK_DETAIL_INLINE void archive_reader::require_all_claimed() {
  for (std::size_t i = 0; i < is_claimed_.size(); ++i) {
    if (!is_claimed_[i] && header_.tensors[i].name != digests_name) {
      throw error({.code = errc::corrupt, .tensor = std::string(header_.tensors[i].name), .problem = "it is in the file, but no part of its schema"});
    }
  }
  is_claimed_.assign(is_claimed_.size(), false);
}

TIDEMARK_DETAIL_INLINE void archive_reader::fill(load_report& report) const {
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

TIDEMARK_DETAIL_INLINE void archive_reader::check(const tensor_info& tensor) {
  input_stream stream = open(tensor);
  stream.finish();
}

TIDEMARK_DETAIL_INLINE std::uint32_t archive_reader::position(const tensor_info& tensor) const noexcept {
  return static_cast<std::uint32_t>(&tensor - header_.tensors.data());
}

TIDEMARK_DETAIL_INLINE void archive_reader::require_block(std::uint32_t at, std::uint64_t block, const digest128& found) {
  if (!has_digests()) return;
  digests_.require(header_.tensors[at], at, block, found);
  ++blocks_checked_;
}

TIDEMARK_DETAIL_INLINE bytes_view archive_reader::next_piece() {
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

TIDEMARK_DETAIL_INLINE bytes_view archive_reader::through_window(const tensor_info& t, std::uint64_t offset) {
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

}  // namespace tidemark::detail
#endif
