// SPDX-License-Identifier: BSL-1.0
// format/shard_index.hpp: the index beside sharded safetensors files, as Hugging Face's libraries read it (floor: format).
#ifndef TIDEMARK_FORMAT_SHARD_INDEX_HPP
#define TIDEMARK_FORMAT_SHARD_INDEX_HPP

#include <tidemark/format/header_writer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::detail {

inline constexpr std::string_view shard_index_name = "model.safetensors.index.json";

/// `model-00002-of-00004.safetensors`, counted from 0 here.
inline std::string shard_name(std::size_t shard, std::size_t shards) {
  const auto five = [](std::size_t n) {
    std::string digits = std::to_string(n);
    return digits.size() < 5 ? std::string(5 - digits.size(), '0') + digits : digits;
  };
  return "model-" + five(shard + 1) + "-of-" + five(shards) + ".safetensors";
}

/// `{"metadata":{"total_size":...},"weight_map":{tensor: file}}`, built tensor by tensor.
class shard_index_writer {
 public:
  void add(std::string_view tensor, std::uint64_t bytes, std::string_view file) {
    total_ += bytes;
    if (!map_.empty()) map_ += ",\n";
    append_json_string(map_, tensor);
    map_ += ": ";
    append_json_string(map_, file);
  }

  std::string text() const {
    std::string out = "{\"metadata\": {\"total_size\": ";
    append_number(out, total_);
    out += "}, \"weight_map\": {\n";
    out += map_;
    return out + "}}\n";
  }

 private:
  std::uint64_t total_ = 0;
  std::string map_;
};

}  // namespace tidemark::detail
#endif
