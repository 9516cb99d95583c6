// SPDX-License-Identifier: BSL-1.0
// format/shard_index.ipp: the definitions of shard_index.hpp (floor: format).
#ifndef TIDEMARK_FORMAT_SHARD_INDEX_IPP
#define TIDEMARK_FORMAT_SHARD_INDEX_IPP

#include <tidemark/format/shard_index.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/format/header_writer.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string shard_name(std::size_t shard, std::size_t shards) {
  const auto five = [](std::size_t n) {
    std::string digits = std::to_string(n);
    return digits.size() < 5 ? std::string(5 - digits.size(), '0') + digits : digits;
  };
  return "model-" + five(shard + 1) + "-of-" + five(shards) + ".safetensors";
}

TIDEMARK_DETAIL_INLINE void shard_index_writer::add(std::string_view tensor, std::uint64_t bytes, std::string_view file) {
  total_ += bytes;
  if (!map_.empty()) map_ += ",\n";
  append_json_string(map_, tensor);
  map_ += ": ";
  append_json_string(map_, file);
}

TIDEMARK_DETAIL_INLINE std::string shard_index_writer::text() const {
  std::string out = "{\"metadata\": {\"total_size\": ";
  append_number(out, total_);
  out += "}, \"weight_map\": {\n";
  out += map_;
  return out + "}}\n";
}

}  // namespace tidemark::detail
#endif
