// SPDX-License-Identifier: BSL-1.0
// store/archive_writer.ipp: the definitions of archive_writer.hpp (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_WRITER_IPP
#define TIDEMARK_STORE_ARCHIVE_WRITER_IPP

#include <tidemark/store/archive_writer.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/format/header_writer.hpp>
#include <tidemark/format/name_index.hpp>
#include <tidemark/store/progress_meter.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE archive_layout::archive_layout(plan_view plan, const metadata_list& metadata, digests kept) : plan_(plan), kept_(kept) {
  infos_.reserve(plan.tensors.size() + 1);
  for (const planned_tensor& t : plan.tensors) infos_.push_back(t.info);
  const auto order = order_by_name(infos_);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (infos_[order[i]].name == infos_[order[i - 1]].name) {
      throw error({.code = errc::unsupported, .tensor = std::string(infos_[order[i]].name), .problem = "two parts of the state have this name"});
    }
  }
  digests_ = digest_table(infos_, order);
  digests_.header() = header_digest(infos_, order, metadata);
  const std::uint64_t extent = digests_.bytes();
  if (kept_ == digests::kept) infos_.push_back({digests_name, dtype::u8, {&extent, 1}, plan.bytes, extent});
  header_ = make_header(infos_, metadata);
  infos_.resize(plan.tensors.size());
}

TIDEMARK_DETAIL_INLINE digest128 archive_layout::digest() {
  const progress_callback nobody;
  progress_meter meter(nobody, 0);
  write([](bytes_view) {}, meter);
  return own_digest();
}

TIDEMARK_DETAIL_INLINE void archive_layout::prefetch_small(const planned_tensor& t) noexcept {
  constexpr std::size_t cache_line = 64;
  const auto* bytes = static_cast<const std::byte*>(t.source);
  for (std::uint64_t at = 0; at < (std::min<std::uint64_t>)(t.info.bytes, 16 * cache_line); at += cache_line) prefetch(bytes + at);
}

TIDEMARK_DETAIL_INLINE std::uint64_t archive_layout::bytes() const noexcept { return header_.size() + plan_.bytes + (kept_ == digests::kept ? digests_.bytes() : 0); }

TIDEMARK_DETAIL_INLINE void archive_layout::write(function_ref<void(bytes_view)> take, progress_meter& meter) {
  const auto pass = [&](bytes_view piece) {
    take(piece);
    meter.add(piece.size());
  };
  pass(bytes_of(header_));
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    const planned_tensor& t = plan_.tensors[i];
    if (t.info.bytes == 0) continue;
    if (i + 2 < infos_.size()) prefetch_small(plan_.tensors[i + 2]);
    if (t.write == nullptr) write_memory(i, {static_cast<const std::byte*>(t.source), static_cast<std::size_t>(t.info.bytes)}, pass);
    else write_made(i, t, pass);
  }
  digests_.seal();
  buffer_.reset();
  if (kept_ == digests::kept) pass(std::as_const(digests_).view());
}

TIDEMARK_DETAIL_INLINE void archive_layout::write_memory(std::size_t tensor, bytes_view all, function_ref<void(bytes_view)> pass) {
  if (all.size() <= piece_bytes) {
    digests_.block(tensor, 0) = digest_of(all);
    return pass(all);
  }
  hasher hash;
  for (std::uint64_t block = 0; !all.empty(); ++block) {
    bytes_view left = all.first(static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, all.size())));
    all = all.subspan(left.size());
    hash.reset();
    for (; !left.empty(); left = left.subspan((std::min)(piece_bytes, left.size()))) {
      const bytes_view piece = left.first((std::min)(piece_bytes, left.size()));
      hash.update(piece);  // brings the piece into the cache, from where the sink copies it
      pass(piece);
    }
    digests_.block(tensor, block) = hash.finish();
  }
}

TIDEMARK_DETAIL_INLINE void archive_layout::made_bytes::take(bytes_view bytes) {
  if (bytes.size() > left) fail();
  left -= bytes.size();
  while (!bytes.empty()) {
    const bytes_view piece = bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), block_bytes - in_block)));
    hash.update(piece);
    pass(piece);
    bytes = bytes.subspan(piece.size());
    in_block += piece.size();
    if (in_block == block_bytes) close();
  }
}

TIDEMARK_DETAIL_INLINE void archive_layout::made_bytes::close() {
  digests.block(tensor, block++) = hash.finish();
  hash.reset();
  in_block = 0;
}

TIDEMARK_DETAIL_INLINE void archive_layout::made_bytes::fail() {
  throw error({.code = errc::invalid_value,
               .problem = "the state changed while it was being saved",
               .advice = "Let no other thread change it until save returns."});
}

TIDEMARK_DETAIL_INLINE void archive_layout::write_made(std::size_t tensor, const planned_tensor& t, function_ref<void(bytes_view)> pass) {
  const std::size_t size = t.info.bytes <= small_buffer ? small_buffer : piece_bytes / 4;
  std::byte tiny[small_buffer];
  if (size != small_buffer && !buffer_) buffer_.reset(new std::byte[piece_bytes / 4]);
  made_bytes made{digests_, tensor, t.info.bytes, pass};
  output_stream out({size == small_buffer ? tiny : buffer_.get(), size},
                    [](void* context, bytes_view piece) { static_cast<made_bytes*>(context)->take(piece); }, &made);
  at_place(t.info.name, [&] {
    t.write(t.source, out);
    out.flush();
  });
  if (made.left != 0) made.fail();
  if (made.in_block != 0) made.close();
}

}  // namespace tidemark::detail
#endif
