// SPDX-License-Identifier: BSL-1.0
// store/archive_writer.hpp: writes a plan as a file: header, tensors hashed as they pass, digests (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_WRITER_HPP
#define TIDEMARK_STORE_ARCHIVE_WRITER_HPP

#include <tidemark/archive/names.hpp>
#include <tidemark/archive/plan.hpp>
#include <tidemark/format/digests.hpp>
#include <tidemark/format/header_writer.hpp>
#include <tidemark/store/progress_meter.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Whether a file keeps the digests of what it holds. Without them it is a safetensors file like any other.
enum class digests : bool { left_out, kept };

/// A file that is ready to be written: its header, and the order of its digests.
class archive_layout {
 public:
  /// What `plan` views must outlive it. Throws `error`: limit (the header), unsupported (two tensors of one name).
  archive_layout(plan_view plan, const metadata_list& metadata, digests kept = digests::kept) : plan_(plan), kept_(kept) {
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

  std::uint64_t bytes() const noexcept { return header_.size() + plan_.bytes + (kept_ == digests::kept ? digests_.bytes() : 0); }

  /// The digest of all digests, once everything has been written.
  digest128 own_digest() const noexcept { return digests_.own(); }

  /// The same, of what would be written.
  digest128 digest() {
    const progress_callback nobody;
    progress_meter meter(nobody, 0);
    write([](bytes_view) {}, meter);
    return own_digest();
  }

  /// `take(bytes_view)` receives the file in order. Memory: 1 MiB, and nothing for arrays that lie in memory as they are stored.
  template <class Take>
  void write(Take&& take, progress_meter& meter) {
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

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  static constexpr std::size_t small_buffer = 1024;

  /// Small arrays lie anywhere, where the processor cannot foresee them.
  static void prefetch_small(const planned_tensor& t) noexcept {
    constexpr std::size_t cache_line = 64;
    const auto* bytes = static_cast<const std::byte*>(t.source);
    for (std::uint64_t at = 0; at < (std::min<std::uint64_t>)(t.info.bytes, 16 * cache_line); at += cache_line) prefetch(bytes + at);
  }

  template <class Pass>
  void write_memory(std::size_t tensor, bytes_view all, Pass& pass) {
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

  /// Cuts what a producer makes into blocks.
  template <class Pass>
  struct made_bytes {
    digest_table& digests;
    std::size_t tensor;
    std::uint64_t left;
    Pass& pass;
    std::uint64_t in_block = 0, block = 0;
    hasher hash{};

    void take(bytes_view bytes) {
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
    void close() {
      digests.block(tensor, block++) = hash.finish();
      hash.reset();
      in_block = 0;
    }
    [[noreturn]] static void fail() {
      throw error({.code = errc::invalid_value,
                   .problem = "the state changed while it was being saved",
                   .advice = "Let no other thread change it until save returns."});
    }
  };

  template <class Pass>
  void write_made(std::size_t tensor, const planned_tensor& t, Pass& pass) {
    const std::size_t size = t.info.bytes <= small_buffer ? small_buffer : piece_bytes / 4;
    std::byte tiny[small_buffer];
    if (size != small_buffer && !buffer_) buffer_.reset(new std::byte[piece_bytes / 4]);
    made_bytes<Pass> made{digests_, tensor, t.info.bytes, pass};
    output_stream out({size == small_buffer ? tiny : buffer_.get(), size},
                      [](void* context, bytes_view piece) { static_cast<made_bytes<Pass>*>(context)->take(piece); }, &made);
    at_place(t.info.name, [&] {
      t.write(t.source, out);
      out.flush();
    });
    if (made.left != 0) made.fail();
    if (made.in_block != 0) made.close();
  }

  plan_view plan_;
  digests kept_;
  std::vector<tensor_info> infos_;
  digest_table digests_;
  std::string header_;
  std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace tidemark::detail
#endif
