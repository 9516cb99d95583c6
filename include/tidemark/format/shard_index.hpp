// SPDX-License-Identifier: BSL-1.0
// format/shard_index.hpp: the index beside sharded safetensors files, as Hugging Face's libraries read it (floor: format).
#ifndef TIDEMARK_FORMAT_SHARD_INDEX_HPP
#define TIDEMARK_FORMAT_SHARD_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::detail {

inline constexpr std::string_view shard_index_name = "model.safetensors.index.json";

/// `model-00002-of-00004.safetensors`, counted from 0 here.
std::string shard_name(std::size_t shard, std::size_t shards);

/// `{"metadata":{"total_size":...},"weight_map":{tensor: file}}`, built tensor by tensor.
class shard_index_writer {
 public:
  void add(std::string_view tensor, std::uint64_t bytes, std::string_view file);

  std::string text() const;

 private:
  std::uint64_t total_ = 0;
  std::string map_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/format/shard_index.ipp>
#endif
#endif
