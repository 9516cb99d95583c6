// SPDX-License-Identifier: BSL-1.0
// archive/repack.hpp: stored tensors as the packed bytes of their value, by their schema alone, whatever type is asked for (floor: archive).
#ifndef TIDEMARK_ARCHIVE_REPACK_HPP
#define TIDEMARK_ARCHIVE_REPACK_HPP

#include <tidemark/archive/decoder.hpp>
#include <tidemark/archive/pack.hpp>
#include <tidemark/archive/stored_column.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tidemark::detail {

/// Reads the tensors below the decoder's name. Everything is checked as a load into a type would.
class repacker {
 public:
  explicit repacker(decoder& at) : at_(at) {}

  /// Appends the packed bytes of the value at the decoder's name.
  void append(std::string& out, const schema& s);

 private:
  void append_tensor(std::string& out, const tensor_info& tensor);

  void require_flags(const std::string& flags) const;
  void require_indices(const std::string& indices, const schema& s) const;

  /// The extents of a leaf behind `prefix`.
  static extents shape_of(const schema& leaf, const extents& prefix);
  static const schema& scalar_in(const schema& leaf) { return leaf.kind == kind::array ? scalar_in(leaf.children[0]) : leaf; }

  const tensor_info& require(const schema& leaf, const extents& prefix);

  /// How many values of schema `s` are stored by column at this name.
  std::uint64_t stored_count(const schema& s);

  std::vector<std::uint64_t> read_offsets(std::uint64_t count, std::uint64_t total);

  /// The extent of a list of fixed size, of which there are `count`: elements that take bytes are no more than the file has.
  std::uint64_t require_extent(const schema& s, std::uint64_t count);

  void read_buckets(stored_column& column, const extents& prefix);

  /// The values of schema `s` that are stored by column at this name.
  stored_column column(const schema& s, const extents& prefix);

  void append_list(std::string& out, const schema& s);

  void append_map(std::string& out, const schema& s);

  decoder& at_;
  std::uint64_t left_ = at_.in.data_bytes();  ///< no tensor is needed twice
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/repack.ipp>
#endif
#endif
